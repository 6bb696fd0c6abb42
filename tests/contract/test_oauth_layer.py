"""What the authorization server is built on is in a layer of its own, and nobody else has or imports it."""

from pathlib import Path

from infra.layer import trim_oauth
from infra.stack.functions import GITHUB_LAYER, LAYER, OAUTH, OAUTH_LAYER, function_id, layers_of
from tests.contract.layers import copy_packages, packages_of
from tests.contract.stacks import RESOURCES
from tests.unit.wire.test_router_imports import modules_after

ROOT = Path(__file__).parents[2]
ITS_OWN = {"authlib", "joserfc", "cryptography"}


def test_only_the_authorization_server_has_it_also_where_the_router_runs_tools_itself() -> None:
    functions = {n: one for n, one in RESOURCES.items() if one["Type"] == "AWS::Serverless::Function"}
    with_it = {name for name, one in functions.items() if OAUTH_LAYER in str(one["Properties"]["Layers"])}

    assert with_it == {function_id(OAUTH)}
    assert layers_of(OAUTH) == [LAYER, GITHUB_LAYER, OAUTH_LAYER]


def test_sam_finds_how_to_build_it_and_it_repeats_nothing_of_the_others() -> None:
    names = packages_of("", "github-", "oauth-")

    assert (ROOT / "Makefile").read_text().count(f"\nbuild-{OAUTH_LAYER}:") == 1
    assert names[2] & (names[0] | names[1]) == set()
    assert names[2] == {"authlib", "joserfc"}


def test_what_it_leaves_out_nobody_misses_who_signs_people_in(tmp_path: Path) -> None:
    copy_packages("authlib", "joserfc", into=tmp_path)
    trim_oauth(tmp_path)

    found = modules_after(
        f"sys.path.insert(0, {str(tmp_path)!r})\n"
        "import functions.oauth.routes, authlib, joserfc\n"
        f"assert authlib.__file__.startswith({str(tmp_path)!r})\n"
        f"assert joserfc.__file__.startswith({str(tmp_path)!r})"
    )

    assert not (tmp_path / "authlib" / "integrations").exists()
    assert "authlib.oauth2.rfc6749" in found


def test_no_other_function_imports_it_nor_the_pages() -> None:
    apps = [f"functions.{folder}.app" for folder in ("admin", "router", "issues", "tasks")]

    modules = set(modules_after(f"import {', '.join(apps)}"))

    assert modules & ITS_OWN == set()
    assert not any(name.startswith("functions.oauth") for name in modules)
    assert "forge.wire.sign_in" not in modules
