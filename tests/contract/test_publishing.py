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
    "WordsFunction",
}
"""Nobody waits for them, so nobody pays for their snapshots."""
CALLED = set(FUNCTIONS) - UNCALLED

MAX_DESCRIPTION = 256
FIXED = {"DeploymentPreference", "ReservedConcurrentExecutions"}
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

        assert described == " ".join(f"${{{word}}}" for word in sorted(named_parameters(versioned))), name


def test_what_a_version_says_fits_into_what_lambda_takes() -> None:
    def longest(name: str) -> int:
        parameter = PARAMETERS[name]
        allowed = [len(str(one)) for one in parameter.get("AllowedValues", ())]
        repeated = parameter.get("AllowedPattern", "{0,0}").rpartition(",")[2].rstrip("}")
        return max(allowed, default=parameter.get("MaxLength") or int(repeated))

    for name in CALLED:
        described = FUNCTIONS[name]["VersionDescription"]["Fn::Sub"].split()
        assert sum(longest(one.strip("${}")) + 1 for one in described) <= MAX_DESCRIPTION


def test_what_only_the_function_has_makes_no_version() -> None:
    """Lambda would refuse one that differs in nothing from the last."""
    described = RESOURCES["RouterFunction"]["Properties"]["VersionDescription"]["Fn::Sub"]

    assert "RouterMode" in described
    assert "RouterConcurrency" not in described


def test_an_old_version_stays_for_the_way_back() -> None:
    published = of_type(transformed(), "AWS::Lambda::Version").values()

    # One by another code, the other by another value of a parameter.
    for policy in ("DeletionPolicy", "UpdateReplacePolicy"):
        assert {version[policy] for version in published} == {"Retain"}


def test_a_canary_is_made_only_where_it_is_asked_for_and_ends_with_the_alarms() -> None:
    without, asked = transformed(), transformed(canary="true")

    added = {name: one for name, one in asked.items() if name not in without}
    (group,) = of_type(added, "AWS::CodeDeploy::DeploymentGroup").values()
    alarms = [one["Name"]["Ref"] for one in group["Properties"]["AlarmConfiguration"]["Alarms"]]

    assert len(added) == 2
    assert versions(without) == versions(asked)
    assert all(RESOURCES[alarm]["Type"] == "AWS::CloudWatch::Alarm" for alarm in alarms)
    assert "UpdatePolicy" in asked["RouterFunctionAliaslive"]
