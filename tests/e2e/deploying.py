"""Checks that deploy again: what was written stays, changes take effect, what failed can be repeated."""

import json
import py_compile
import sys
from pathlib import Path
from typing import Any

import yaml

from infra.deploy import BUILD, CommandFailed
from infra.stack.functions import LAYER, ROUTER, function_id
from infra.stack.publishing import ALIAS
from tests.e2e.requiring import expect, require
from tests.e2e.stacks import EMULATED, ENVIRONMENT
from tests.e2e.teams import Team

_FAILING = BUILD / "failing.yaml"
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
    require(len(versions) == 2, f"the last version alone is kept besides this one: {versions}")


def going_back_and_forth_is_moving_aliases(teams: list[Team]) -> None:
    """After the update above, which had the router run tools itself."""
    alpha = teams[0]
    now = _live(alpha, ROUTER)

    for _ in range(2):
        alpha.bench.run(alpha.name, "--back")
        require(_live(alpha, ROUTER)["Version"] != now["Version"], "still on the new version")
    invoked = alpha.doors().count("invoke")
    expect(alpha.client.rest("workspace_get"), 200)
    require(alpha.doors().count("invoke") == invoked + 1, "the version before did not answer")

    alpha.bench.run(alpha.name, "--forward")
    require(_live(alpha, ROUTER)["Version"] == now["Version"], "not on the new version again")
    expect(alpha.client.rest("workspace_get"), 200)


def what_an_account_demands_can_be_given(teams: list[Team]) -> None:
    beta = teams[1]
    made = _of_the_account(beta)

    updated = beta.updated(RouterMode="inline", **made)

    address = f"https://{made['DomainName']}"
    require(updated.stack.outputs["McpUrl"].startswith(address), updated.stack.outputs)
    expect(updated.client.rest("labels.list"), 200)
    table: Any = beta.connections.dynamodb().describe_table(TableName=updated.stack.outputs["TableName"])
    require(table["Table"]["SSEDescription"]["KMSMasterKeyArn"] == made["KmsKeyArn"], table["Table"])
    subscribed: Any = beta.connections.connect("sns").list_subscriptions_by_topic(
        TopicArn=beta.physical_id("AlarmTopic")
    )
    require([one["Endpoint"] for one in subscribed["Subscriptions"]] == [made["AlarmEmail"]], subscribed)


def _of_the_account(team: Team) -> dict[str, str]:
    connect = team.connections.connect
    policy = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]}
    boundary: Any = connect("iam").create_policy(PolicyName="bound", PolicyDocument=json.dumps(policy))
    key: Any = connect("kms").create_key()
    zone: Any = connect("route53").create_hosted_zone(Name="example.test", CallerReference="e2e")
    certificate: Any = connect("acm").request_certificate(DomainName="forge.example.test")
    return {
        "PermissionsBoundary": boundary["Policy"]["Arn"],
        "KmsKeyArn": key["KeyMetadata"]["Arn"],
        "HostedZoneId": zone["HostedZone"]["Id"].rpartition("/")[2],
        "DomainName": "forge.example.test",
        "CertificateArn": certificate["CertificateArn"],
        "AlarmEmail": "ops@example.test",
        "WarmThroughput": "24000,8000",
        "IndexAlarms": "true",
        "NamespaceMetrics": "true",
    }


def everything_says_whose_it_is(teams: list[Team]) -> None:
    for team in teams:
        listed: Any = team.connections.dynamodb().describe_table(TableName=team.stack.outputs["TableName"])
        tagged: Any = team.connections.dynamodb().list_tags_of_resource(
            ResourceArn=listed["Table"]["TableArn"]
        )
        tags = {one["Key"]: one["Value"] for one in tagged["Tags"]}
        wanted = {"application": "forge", "team": team.name, "environment": ENVIRONMENT}
        require(tags.items() >= wanted.items(), tags)


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
    try:
        alpha.bench.deploy("gamma", _failing_template())
    except CommandFailed as failure:
        require("ROLLBACK_COMPLETE" in str(failure), f"it failed before anything was made: {failure}")
    else:
        raise AssertionError("what can't be created was created")

    stack = alpha.bench.deploy("gamma")

    require(stack.outputs["TableName"] != alpha.stack.outputs["TableName"], "another team's table")


def _failing_template() -> Path:
    """The same with an alarm on nothing, which is tried when nearly everything else is there."""
    template = yaml.safe_load(EMULATED.read_text(encoding="utf-8"))
    template["Resources"]["Failing"] = {
        "Type": "AWS::CloudWatch::Alarm",
        "DependsOn": [function_id(ROUTER), "HttpApiStage"],
        "Properties": {"ComparisonOperator": "GreaterThanThreshold", "EvaluationPeriods": 1, "Metrics": []},
    }
    _FAILING.write_text(yaml.safe_dump(template), encoding="utf-8")
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
    everything_says_whose_it_is,
    another_parameter_takes_effect_and_keeps_what_was_written,
    going_back_and_forth_is_moving_aliases,
    what_an_account_demands_can_be_given,
    another_layer_alone_takes_effect,
    a_deployment_that_failed_half_way_can_be_repeated,
)
