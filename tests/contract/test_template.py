"""The template says what the namespaces need, and nothing more."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from forge.contract.terms import Effect, Surface
from forge.store.physical import QUEUES
from forge.work.people.api_keys import AuthenticationItem
from forge.work.people.authentication import TOUCHED
from infra.generate import this_machine
from infra.registry import find_namespaces, find_tools
from infra.stack.functions import IN_ROUTER, Target
from infra.template import template

ROOT = Path(__file__).parents[2]
TEMPLATE: dict[str, Any] = yaml.safe_load((ROOT / "template.yaml").read_text())
RESOURCES: dict[str, Any] = TEMPLATE["Resources"]

MAX_RESOURCES = 450
MAX_ROUTES = 300
MAX_ALARMS = 12


def of_type(kind: str) -> dict[str, Any]:
    return {name: one["Properties"] for name, one in RESOURCES.items() if one["Type"] == kind}


def statements_of(node: object) -> Iterator[dict[str, Any]]:
    """Every statement of every policy, wherever a condition may have put it."""
    if isinstance(node, dict):
        if "Effect" in node and "Action" in node:
            yield node
        for child in node.values():
            yield from statements_of(child)
    if isinstance(node, list):
        for child in node:
            yield from statements_of(child)


def actions_of(role: str) -> set[str]:
    statements = statements_of(RESOURCES[role]["Properties"]["Policies"])
    return {action for statement in statements for action in statement["Action"]}


def dynamodb_actions(role: str) -> set[str]:
    return {action for action in actions_of(role) if action.startswith("dynamodb:")}


def function_of(role: str) -> str:
    return role.removesuffix("Role")


def functions_behind_routes() -> set[str]:
    integrations = of_type("AWS::ApiGatewayV2::Integration")
    return {name.removesuffix("Integration") for name in integrations}


def test_the_linter_finds_nothing() -> None:
    linter = Path(sys.executable).with_name("cfn-lint")

    done = subprocess.run([linter, "template.yaml"], cwd=ROOT, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stdout) == (0, "")


def test_every_parameter_has_a_default() -> None:
    assert all("Default" in parameter for parameter in TEMPLATE["Parameters"].values())


def test_the_stack_stays_below_the_limits_of_cloudformation_and_the_http_api() -> None:
    assert len(RESOURCES) < MAX_RESOURCES
    assert len(of_type("AWS::ApiGatewayV2::Route")) <= MAX_ROUTES


def test_every_tool_has_a_route_of_its_own_unless_it_lives_in_the_router() -> None:
    prefixes = {Surface.MCP: "/api/mcp/", Surface.ADMIN: "/api/admin/"}
    routes = {route["RouteKey"] for route in of_type("AWS::ApiGatewayV2::Route").values()}

    for tool in find_tools():
        has_route = f"POST {prefixes[tool.surface]}{tool.name}" in routes
        assert has_route is (tool.namespace not in IN_ROUTER), tool


def test_nobody_may_do_anything_in_general() -> None:
    roles = of_type("AWS::IAM::Role")

    for statement in statements_of(roles):
        actions = statement["Action"]
        assert all("*" not in action for action in ([actions] if isinstance(actions, str) else actions))
        assert "*" not in re.sub(r"/index/\*|/stream/\*|\.Arn}/\*", "", str(statement.get("Resource", "")))


def test_nobody_may_scan() -> None:
    assert all("Scan" not in str(statement["Action"]) for statement in statements_of(RESOURCES))


def test_a_namespace_that_only_reads_may_only_read() -> None:
    readers = actions_of("StatusesFunctionRole")

    assert {tool.effect for tool in find_tools() if tool.namespace == "events"} == {Effect.READ_ONLY}
    assert "dynamodb:PutItem" not in readers
    assert "dynamodb:GetItem" in readers
    assert "dynamodb:PutItem" in actions_of("LabelsFunctionRole")


def test_only_operators_functions_write_keys_and_people_and_the_sweep_only_purges() -> None:
    of_sweep = statements_of(RESOURCES["SweepFunctionRole"]["Properties"]["Policies"])
    purging = [one for one in of_sweep if one["Sid"] == "PurgeKeys"]
    assert [one["Action"] for one in purging] == [["dynamodb:DeleteItem"]]
    for role, properties in of_type("AWS::IAM::Role").items():
        for statement in statements_of(properties["Policies"]):
            keys = str(statement.get("Condition", {}))
            is_allowed = statement["Action"] == ["dynamodb:UpdateItem"] or statement in purging
            if "USER#" in keys or ("KEY#" in keys and not is_allowed):
                assert role == "AdminFunctionRole"


def test_who_authenticates_may_not_name_what_a_key_grants() -> None:
    granted = AuthenticationItem.model_fields.keys() - TOUCHED
    authenticating = [
        (role, statement)
        for role, properties in of_type("AWS::IAM::Role").items()
        for statement in statements_of(properties["Policies"])
        if statement.get("Sid") == "Authenticate"
    ]

    assert {"scopes", "role", "workspace_id", "is_member", "project_ids", "linked_agent_id"} <= granted
    assert {function_of(role) for role, _ in authenticating} == functions_behind_routes()
    for _, statement in authenticating:
        condition = statement["Condition"]
        assert set(condition["ForAllValues:StringEquals"]["dynamodb:Attributes"]) == TOUCHED
        assert condition["ForAllValues:StringLike"]["dynamodb:LeadingKeys"] == ["KEY#*"]
        assert statement["Action"] == ["dynamodb:UpdateItem"]


def test_only_who_verifies_tokens_gets_the_secret_that_signs_them() -> None:
    readers = {
        function_of(role)
        for role in of_type("AWS::IAM::Role")
        if "secretsmanager:GetSecretValue" in actions_of(role)
    }
    told = {
        name
        for name, function in of_type("AWS::Serverless::Function").items()
        if "FORGE_TOKEN_SECRET_ARN" in function["Environment"]["Variables"]
    }

    assert readers == told == functions_behind_routes()
    assert {"RelayFunction", "SweepFunction"}.isdisjoint(readers)


def test_nothing_has_a_fixed_name() -> None:
    named = {
        "AWS::DynamoDB::Table": "TableName",
        "AWS::S3::Bucket": "BucketName",
        "AWS::SQS::Queue": "QueueName",
        "AWS::Serverless::Function": "FunctionName",
        "AWS::Logs::LogGroup": "LogGroupName",
        "AWS::IAM::Role": "RoleName",
    }

    for kind, field in named.items():
        assert all(field not in properties for properties in of_type(kind).values())
    (schedule,) = of_type("AWS::Scheduler::Schedule").values()
    assert "AWS::StackId" in str(schedule["Name"])


def test_what_the_team_wrote_survives_a_mistake() -> None:
    table = RESOURCES["Table"]

    for kept in (table, RESOURCES["Bucket"]):
        assert (kept["DeletionPolicy"], kept["UpdateReplacePolicy"]) == ("RetainExceptOnCreate", "Retain")
    assert table["Properties"]["PointInTimeRecoverySpecification"] == {"PointInTimeRecoveryEnabled": True}
    assert table["Properties"]["TimeToLiveSpecification"]["Enabled"] is True


def test_every_queue_has_a_place_for_what_nobody_can_handle() -> None:
    redriven = [queue for queue in of_type("AWS::SQS::Queue").values() if "RedrivePolicy" in queue]

    assert len(redriven) == len(QUEUES)


def test_what_the_relay_gives_up_on_is_set_aside_and_tells_somebody() -> None:
    (stream,) = RESOURCES["RelayFunction"]["Properties"]["Events"].values()
    aside = stream["Properties"]["DestinationConfig"]["OnFailure"]["Destination"]
    (statement,) = [
        one for one in statements_of(RESOURCES["RelayFunctionRole"]) if one.get("Sid") == "SetAside"
    ]
    alarmed = [
        dimension["Value"]["Fn::GetAtt"][0]
        for alarm in of_type("AWS::CloudWatch::Alarm").values()
        for dimension in alarm["Dimensions"]
    ]

    assert RESOURCES[aside["Fn::GetAtt"][0]]["Type"] == "AWS::SQS::Queue"
    assert (statement["Action"], statement["Resource"]) == (["sqs:SendMessage"], [aside])
    assert aside["Fn::GetAtt"][0] in alarmed


def test_the_relay_alone_may_follow_the_stream() -> None:
    following = {
        role for role in of_type("AWS::IAM::Role") if any("Stream" in one for one in dynamodb_actions(role))
    }

    assert following == {"RelayFunctionRole"}
    assert {"dynamodb:GetRecords", "dynamodb:ListStreams"} <= actions_of("RelayFunctionRole")


def test_who_reads_objects_hears_which_are_missing() -> None:
    for role in of_type("AWS::IAM::Role"):
        assert ("s3:ListBucket" in actions_of(role)) is ("s3:GetObject" in actions_of(role))
    assert "s3:GetObject" in actions_of("IssuesFunctionRole")
    assert "s3:PutObject" not in actions_of("StatusesFunctionRole")


def test_alarms_are_few_and_have_figures() -> None:
    alarms = of_type("AWS::CloudWatch::Alarm")

    assert 0 < len(alarms) <= MAX_ALARMS
    assert all(alarm["AlarmDescription"] for alarm in alarms.values())


def test_every_function_logs_into_a_group_with_an_end() -> None:
    groups = of_type("AWS::Logs::LogGroup")

    for name, function in of_type("AWS::Serverless::Function").items():
        assert function["LoggingConfig"]["LogGroup"] == {"Ref": f"{name}Log"}
        assert "RetentionInDays" in groups[f"{name}Log"]


def test_the_template_for_this_machine_differs_only_in_runtime_and_architecture() -> None:
    folders, here = find_namespaces(), this_machine()
    committed, local = template(folders, Target()), template(folders, here)

    as_if = (
        str(local).replace(here.runtime, Target().runtime).replace(here.architecture, Target().architecture)
    )

    assert as_if == str(committed)
    assert committed == TEMPLATE
