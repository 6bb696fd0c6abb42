"""The template with SnapStart: whoever calls a function calls its published version."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from infra.registry import find_namespaces
from infra.stack.functions import Target
from infra.template import template

ROOT = Path(__file__).parents[2]
FOLDERS = find_namespaces()
PLAIN: dict[str, Any] = template(FOLDERS, Target())["Resources"]
SNAPPED: dict[str, Any] = template(FOLDERS, Target(has_snap_start=True))["Resources"]

MAX_RESOURCES = 500
UNCALLED = {"RelayFunction", "SweepFunction"}
"""Nobody waits for them, so nobody pays for their snapshots."""


def of_type(resources: dict[str, Any], kind: str) -> dict[str, Any]:
    return {name: one["Properties"] for name, one in resources.items() if one["Type"] == kind}


def aliased(resources: dict[str, Any]) -> set[str]:
    functions = of_type(resources, "AWS::Serverless::Function")
    return {name for name, properties in functions.items() if "AutoPublishAlias" in properties}


def test_without_it_nothing_is_published() -> None:
    assert aliased(PLAIN) == set()
    assert "SnapStart" not in json.dumps(PLAIN)


def test_every_function_that_somebody_waits_for_starts_from_a_snapshot() -> None:
    functions = of_type(SNAPPED, "AWS::Serverless::Function")

    assert aliased(SNAPPED) == set(functions) - UNCALLED
    for name in aliased(SNAPPED):
        assert functions[name]["SnapStart"] == {"ApplyOn": "PublishedVersions"}
        # A new layer alone has to publish, too.
        assert functions[name]["AutoPublishAliasAllProperties"] is True


@pytest.mark.parametrize(
    ("kind", "field"),
    [
        ("AWS::ApiGatewayV2::Integration", "IntegrationUri"),
        ("AWS::Lambda::Permission", "FunctionName"),
    ],
)
def test_the_api_calls_aliases_only(kind: str, field: str) -> None:
    named = {properties[field]["Ref"] for properties in of_type(SNAPPED, kind).values()}

    assert named == {f"{function}.Alias" for function in aliased(SNAPPED)}


def test_the_router_calls_aliases_only() -> None:
    environment = SNAPPED["RouterFunction"]["Properties"]["Environment"]["Variables"]
    called: dict[str, str] = json.loads(environment["FORGE_FUNCTIONS"]["Fn::Sub"])
    allowed = json.dumps(SNAPPED["RouterFunctionRole"])

    assert called
    for name in called.values():
        function = name.removeprefix("${").removesuffix("}:live")
        assert function in aliased(SNAPPED)
        assert f'{{"Ref": "{function}.Alias"}}' in allowed
        assert f'["{function}", "Arn"]' not in allowed


def test_with_versions_and_aliases_the_stack_stays_below_the_limit_of_cloudformation() -> None:
    assert len(SNAPPED) + 2 * len(aliased(SNAPPED)) < MAX_RESOURCES


def test_the_linter_finds_nothing(tmp_path: Path) -> None:
    file = tmp_path / "template.yaml"
    tools = Path(sys.executable).parent
    subprocess.run(
        [sys.executable, "-m", "infra.generate", "--snap-start-template", file], cwd=ROOT, check=True
    )

    done = subprocess.run([tools / "cfn-lint", file], cwd=ROOT, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stdout) == (0, "")
