"""Whoever calls a function calls its published version, and every change of it is published."""

import json
from typing import Any

from infra.registry import find_namespaces
from infra.stack.functions import Target
from infra.stack.parameters import PARAMETERS
from infra.template import template
from tests.contract.stacks import of_type, transformed

RESOURCES: dict[str, Any] = template(find_namespaces(), Target())["Resources"]
FUNCTIONS = {name: one["Properties"] for name, one in of_type(RESOURCES, "AWS::Serverless::Function").items()}
UNCALLED = {
    "DispatchFunction",
    "ErasuresFunction",
    "ErrandsFunction",
    "ExportsFunction",
    "RelayFunction",
    "SweepFunction",
    "TasksFunction",
    "WaitsFunction",
}
"""Nobody waits for them, so nobody pays for their snapshots."""
CALLED = set(FUNCTIONS) - UNCALLED

FIXED = {"Tags", "ReservedConcurrentExecutions"}
"""What Lambda keeps for the function, and not for its versions."""


def versions(resources: dict[str, Any]) -> set[str]:
    return set(of_type(resources, "AWS::Lambda::Version"))


def named_parameters(node: object) -> set[str]:
    if isinstance(node, dict):
        found = {str(node["Ref"])} & PARAMETERS.keys() if "Ref" in node else set()
        return found.union(*(named_parameters(child) for child in node.values()))
    if isinstance(node, list):
        return set().union(*map(named_parameters, node))
    return set()


def test_a_parameter_decides_about_snapshots_and_nobody_gets_them_unasked() -> None:
    assert PARAMETERS["SnapStart"]["Default"] == "None"
    for name in CALLED:
        assert FUNCTIONS[name]["SnapStart"] == {"ApplyOn": {"Ref": "SnapStart"}}


def test_every_function_that_somebody_waits_for_is_published_and_no_other() -> None:
    assert {name for name, one in FUNCTIONS.items() if "AutoPublishAlias" in one} == CALLED
    assert not any("SnapStart" in FUNCTIONS[name] for name in UNCALLED)


def test_the_api_calls_aliases_only() -> None:
    integrations = of_type(RESOURCES, "AWS::ApiGatewayV2::Integration").values()
    named = {one["Properties"]["IntegrationUri"]["Ref"] for one in integrations}

    assert named == {f"{function}.Alias" for function in CALLED}


def test_the_router_calls_aliases_only() -> None:
    environment = RESOURCES["RouterFunction"]["Properties"]["Environment"]["Variables"]
    called: dict[str, str] = json.loads(environment["FORGE_FUNCTIONS"]["Fn::Sub"])
    allowed = json.dumps(RESOURCES["RouterRole"])

    assert called
    for name in called.values():
        function = name.removeprefix("${").removesuffix("}:live")
        assert function in CALLED
        assert f'{{"Ref": "{function}.Alias"}}' in allowed
        assert f'["{function}", "Arn"]' not in allowed


def test_the_same_again_publishes_nothing() -> None:
    assert versions(transformed()) == versions(transformed())


def test_another_layer_alone_publishes_everything_anew() -> None:
    assert versions(transformed()).isdisjoint(versions(transformed(layer="another")))


def test_a_version_says_every_parameter_that_went_into_it() -> None:
    """The text of the template stays the same when a value changes, and with it what SAM calls a version."""
    for name in CALLED:
        versioned = {key: value for key, value in FUNCTIONS[name].items() if key not in FIXED}
        described = FUNCTIONS[name]["VersionDescription"]["Fn::Sub"]
        said = {word.partition("=")[0] for word in described.split()}

        assert said == named_parameters(versioned), name
        assert all(f"{word}=${{{word}}}" in described for word in said)


def test_what_only_the_function_has_makes_no_version() -> None:
    """Lambda would refuse one that differs in nothing from the last."""
    described = RESOURCES["RouterFunction"]["Properties"]["VersionDescription"]["Fn::Sub"]

    assert "RouterMode" in described
    assert "RouterConcurrency" not in described


def test_old_versions_go_when_the_alias_has_left_them() -> None:
    published = of_type(transformed(), "AWS::Lambda::Version").values()

    assert {version["DeletionPolicy"] for version in published} == {"Delete"}
