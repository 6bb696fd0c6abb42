"""What signs for a GitHub App is in a layer of those who ask GitHub; only they read the secrets for it."""

from pathlib import Path

from infra.layer import trim_github
from infra.stack.functions import GITHUB_LAYER, LAYER, OAUTH, ROUTER, TASKS, function_id, layers_of
from infra.stack.policies import ASKING_GITHUB
from tests.contract.layers import copy_packages, packages_of
from tests.contract.permissions import statements_of
from tests.contract.stacks import RESOURCES
from tests.unit.wire.test_router_imports import modules_after

ROOT = Path(__file__).parents[2]
FUNCTIONS = {
    name: one["Properties"] for name, one in RESOURCES.items() if one["Type"] == "AWS::Serverless::Function"
}
ASKING = {function_id(folder) for folder in ASKING_GITHUB} & set(FUNCTIONS)
INVOKE, INLINE = {"RouterInvokes": True}, {"RouterInvokes": False}


def reads_tokens(function: str, conditions: dict[str, bool]) -> bool:
    role, _ = FUNCTIONS[function]["Role"]["Fn::GetAtt"]
    resources = [str(one["Resource"]) for one in statements_of(RESOURCES[role], conditions)]
    return any("secret:forge/${AWS::StackName}/github/*" in one for one in resources)


def test_only_who_asks_github_has_the_layer_and_the_router_where_it_runs_tools_itself() -> None:
    with_it = {name for name, one in FUNCTIONS.items() if GITHUB_LAYER in str(one["Layers"])}

    assert with_it == ASKING | {function_id(ROUTER), function_id(OAUTH)}
    assert {function_id("backlog"), function_id(TASKS)} <= ASKING
    assert {"Fn::If": ["RouterInvokes", {"Ref": "AWS::NoValue"}, {"Ref": GITHUB_LAYER}]} in (
        FUNCTIONS[function_id(ROUTER)]["Layers"]
    )
    assert layers_of("issues") == [LAYER]


def test_only_who_asks_github_reads_the_secrets_of_tokens() -> None:
    invoking = {name for name in FUNCTIONS if reads_tokens(name, INVOKE)}
    inline = {name for name in FUNCTIONS if reads_tokens(name, INLINE)}

    assert invoking == ASKING
    assert inline == ASKING | {function_id(ROUTER)}


def test_who_reads_them_reads_no_others_by_that_right() -> None:
    found = [
        one["Resource"]
        for name in ASKING
        for one in statements_of(RESOURCES[FUNCTIONS[name]["Role"]["Fn::GetAtt"][0]], INVOKE)
        if one["Sid"] == "ReadGitHubSecrets"
    ]
    place = "arn:${AWS::Partition}:secretsmanager:${AWS::Region}:${AWS::AccountId}:secret:"
    own = f"{place}forge/${{AWS::StackName}}/github/*"

    assert len(found) == len(ASKING)
    assert all(one == [{"Fn::Sub": own}] for one in found)


def test_sam_finds_how_to_build_it_and_it_repeats_nothing_of_the_other() -> None:
    names = packages_of("", "github-")

    assert (ROOT / "Makefile").read_text().count(f"\nbuild-{GITHUB_LAYER}:") == 1
    assert names[0] & names[1] == set()
    assert "cryptography" in names[1]


def test_no_function_imports_it_when_it_starts() -> None:
    apps = [f"functions.{folder}.app" for folder in ("backlog", "admin", "router", "tasks")]

    modules = set(modules_after(f"import {', '.join(apps)}, forge.work.backlog.github.connections"))

    assert "forge.github.credentials" in modules
    assert modules & {"cryptography", "jwt"} == set()


def test_what_it_leaves_out_nobody_misses_who_signs(tmp_path: Path) -> None:
    copy_packages("cryptography", "cffi", into=tmp_path)
    trim_github(tmp_path)

    found = modules_after(
        f"sys.path.insert(0, {str(tmp_path)!r})\n"
        "import jwt\n"
        "from cryptography.hazmat.primitives.asymmetric import rsa\n"
        "key = rsa.generate_private_key(public_exponent=65537, key_size=2048)\n"
        "signed = jwt.encode({'iss': '7'}, key, algorithm='RS256')\n"
        "assert jwt.decode(signed, key.public_key(), algorithms=['RS256']) == {'iss': '7'}\n"
        "import cryptography, _cffi_backend\n"
        f"assert cryptography.__file__.startswith({str(tmp_path)!r})\n"
        f"assert _cffi_backend.__file__.startswith({str(tmp_path)!r})"
    )

    assert not (tmp_path / "cffi").exists()
    assert "cryptography" in found
    assert {"cffi", "pycparser"} & set(found) == set()
