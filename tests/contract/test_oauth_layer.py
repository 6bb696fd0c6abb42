"""What the authorization server is built on is in a layer of its own, and nobody else has or imports it."""

from pathlib import Path

from infra.stack.functions import GITHUB_LAYER, LAYER, OAUTH, OAUTH_LAYER, function_id, layers_of
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
    names = [
        {line.partition("==")[0] for line in (ROOT / "shared" / name).read_text().splitlines()[1:]}
        for name in ("requirements.txt", "github-requirements.txt", "oauth-requirements.txt")
    ]

    assert (ROOT / "Makefile").read_text().count(f"\nbuild-{OAUTH_LAYER}:") == 1
    assert names[2] & (names[0] | names[1]) == set()
    assert names[2] == {"authlib", "joserfc"}


def test_no_other_function_imports_it_nor_the_pages() -> None:
    apps = [f"functions.{folder}.app" for folder in ("admin", "router", "issues", "tasks")]

    modules = set(modules_after(f"import {', '.join(apps)}"))

    assert modules & ITS_OWN == set()
    assert not any(name.startswith("functions.oauth") for name in modules)
    assert "forge.wire.sign_in" not in modules
