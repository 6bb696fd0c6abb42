"""Checks that deploy again: what was written stays, changes take effect, what failed can be repeated."""

import json
import py_compile
import sys
from typing import Any

import yaml

from infra.deploy import BUILD, CommandFailed, deploy
from infra.stack.functions import LAYER, ROUTER, function_id
from infra.stack.publishing import ALIAS
from tests.e2e.requiring import expect, require
from tests.e2e.teams import Team

_FAILING = "failing.yaml"
# Lambda takes no snapshots of older ones, and here functions run on the interpreter at hand.
_SNAPSHOTS = {"SnapStart": "PublishedVersions"} if sys.version_info >= (3, 12) else {}


def another_parameter_takes_effect_and_keeps_what_was_written(teams: list[Team]) -> None:
    alpha = teams[0]
    made = expect(alpha.client.rest("labels.create", {"name": "kept"}), 200)
    before = _live(alpha, ROUTER)
    expect(alpha.client.rest("workspace_get"), 200)
    invoked = alpha.doors().count("invoke")
    require(invoked > 0, "the router did not invoke before")

    updated = alpha.updated(RouterMode="inline", Tracing="PassThrough", **_SNAPSHOTS)
    expect(updated.client.rest("workspace_get"), 200)

    require(updated.stack.outputs["TableName"] == alpha.stack.outputs["TableName"], "another table")
    require(made in expect(updated.client.rest("labels.list"), 200)["data"], "the label is gone")
    require(_live(updated, ROUTER)["Version"] != before["Version"], "the alias stayed with the old version")
    require(updated.doors().count("invoke") == invoked, "the router still invokes")
    for folder in (ROUTER, "labels"):
        live = _live(updated, folder)
        require(live["TracingConfig"]["Mode"] == "PassThrough", live)
        require(live["SnapStart"]["ApplyOn"] == _SNAPSHOTS.get("SnapStart", "None"), live)
    versions = _versions(updated, ROUTER)
    require(len(versions) == 1, f"old versions are kept: {versions}")


def another_layer_alone_takes_effect(teams: list[Team]) -> None:
    beta = teams[1]
    file = BUILD / LAYER / "python" / "forge" / "__init__.py"
    text = file.read_text(encoding="utf-8")
    try:
        file.write_text(f'{text}\n__version__ = "9.9.9"\n', encoding="utf-8")
        py_compile.compile(str(file), invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
        beta.updated(RouterMode="inline")
    finally:
        file.write_text(text, encoding="utf-8")
        py_compile.compile(str(file), invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)

    health = expect(beta.client.send("/healthz", method="GET"), 200)
    require("9.9.9" in json.dumps(health), health)


def a_deployment_that_failed_half_way_can_be_repeated(teams: list[Team]) -> None:
    alpha = teams[0]
    name = "forge-gamma"
    try:
        deploy(alpha.sam, name, alpha.connections, template=_failing_template(), TeamName="gamma")
    except CommandFailed as failure:
        require("ROLLBACK_COMPLETE" in str(failure), f"it failed before anything was made: {failure}")
    else:
        raise AssertionError("what can't be created was created")

    stack = deploy(alpha.sam, name, alpha.connections, TeamName="gamma")

    require(stack.outputs["TableName"] != alpha.stack.outputs["TableName"], "another team's table")


def _failing_template() -> str:
    """The same with an alarm on nothing, which is tried when nearly everything else is there."""
    template = yaml.safe_load((BUILD / "template.yaml").read_text(encoding="utf-8"))
    template["Resources"]["Failing"] = {
        "Type": "AWS::CloudWatch::Alarm",
        "DependsOn": [function_id(ROUTER), "HttpApiStage"],
        "Properties": {"ComparisonOperator": "GreaterThanThreshold", "EvaluationPeriods": 1, "Metrics": []},
    }
    (BUILD / _FAILING).write_text(yaml.safe_dump(template), encoding="utf-8")
    return _FAILING


def _live(team: Team, folder: str) -> Any:
    """What callers of the function reach."""
    name = team.physical_id(function_id(folder))
    return team.connections.connect("lambda").get_function_configuration(FunctionName=name, Qualifier=ALIAS)


def _versions(team: Team, folder: str) -> list[str]:
    name = team.physical_id(function_id(folder))
    listed: Any = team.connections.connect("lambda").list_versions_by_function(FunctionName=name)
    return [one["Version"] for one in listed["Versions"] if one["Version"] != "$LATEST"]


CHECKS = (
    another_parameter_takes_effect_and_keeps_what_was_written,
    another_layer_alone_takes_effect,
    a_deployment_that_failed_half_way_can_be_repeated,
)
