"""The template says what the namespaces need, and nothing more."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from forge.contract.terms import Effect
from forge.store.physical import QUEUES
from forge.work.workspace.people.api_keys import AuthenticationItem
from forge.work.workspace.people.authentication import TOUCHED
from infra.generate import this_machine
from infra.registry import find_namespaces, find_tools
from infra.stack.data import TOKEN_SECRET
from infra.stack.functions import ADMIN, IN_ROUTER, Target, function_id
from infra.stack.policies import ASKING_GITHUB, ATTACHMENTS, MINTING, PREFERRING
from infra.template import template
from tests.contract.stacks import RESOURCES, TEMPLATE

ROOT = Path(__file__).parents[2]


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


def functions_with(role: str) -> set[str]:
    functions = of_type("AWS::Serverless::Function")
    return {name for name, one in functions.items() if one["Role"] == {"Fn::GetAtt": [role, "Arn"]}}


def functions_behind_routes() -> set[str]:
    integrations = of_type("AWS::ApiGatewayV2::Integration")
    return {name.removesuffix("Integration") for name in integrations}


def test_the_linter_finds_nothing() -> None:
    linter = Path(sys.executable).with_name("cfn-lint")

    done = subprocess.run([linter, "template.yaml"], cwd=ROOT, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stdout) == (0, "")


def test_every_parameter_has_a_default() -> None:
    assert all("Default" in parameter for parameter in TEMPLATE["Parameters"].values())


def test_every_function_knows_where_the_stack_is_reached() -> None:
    environments = [one["Environment"]["Variables"] for one in of_type("AWS::Serverless::Function").values()]

    assert environments
    for variables in environments:
        _, given, own = variables["FORGE_PUBLIC_URL"]["Fn::If"]
        assert given == {"Ref": "PublicUrl"}
        assert own["Fn::If"][:2] == ["HasDomain", {"Fn::Sub": "https://${DomainName}"}]
        _, _, shown = TEMPLATE["Outputs"]["Url"]["Value"]["Fn::If"]
        assert own["Fn::If"][2] == shown


WITHOUT_RESOURCES = {"Trace": "xray:Put", "Answer": "states:SendTask"}
"""By statement: what IAM knows no resources for."""


def test_nobody_may_do_anything_in_general() -> None:
    roles = of_type("AWS::IAM::Role")

    for statement in statements_of(roles):
        actions = statement["Action"]
        assert all("*" not in action for action in ([actions] if isinstance(actions, str) else actions))
        if (without_resources := WITHOUT_RESOURCES.get(str(statement.get("Sid")))) is not None:
            assert all(action.startswith(without_resources) for action in actions)
            continue
        objects = r"\.Arn}/(\*/attachments/\*|idempotency/\*|texts/\*/task_\*/answer|\*)"
        objects += r"|\.Arn}/(texts|pipelines|exports)/\*"
        parts = rf"/index/\*|/stream/\*|{objects}|:secret:forge/\$\{{AWS::StackName\}}/(github|oidc)/\*"
        assert "*" not in re.sub(parts, "", str(statement.get("Resource", "")))


def test_a_namespace_that_only_reads_may_only_read() -> None:
    readers = actions_of("ReadersRole")
    writing = {tool.namespace for tool in find_tools() if tool.effect is not Effect.READ_ONLY}
    reading = {tool.namespace for tool in find_tools()} - writing

    assert "dynamodb:PutItem" not in readers
    assert "dynamodb:GetItem" in readers
    assert functions_with("ReadersRole") == {function_id(folder) for folder in reading}
    others = IN_ROUTER | ASKING_GITHUB | {ADMIN, ATTACHMENTS, MINTING, PREFERRING}
    assert functions_with("WritersRole") == {function_id(folder) for folder in writing - others}
    assert functions_with("AttachmentsRole") == {function_id(ATTACHMENTS)}
    assert functions_with("TrackersRole") == {function_id(folder) for folder in writing & ASKING_GITHUB}
    assert "dynamodb:PutItem" in actions_of("WritersRole")


def test_roles_differ_in_their_rights() -> None:
    policies = [str(role["Policies"]) for role in of_type("AWS::IAM::Role").values()]

    assert len(set(policies)) == len(policies)


def test_only_operators_functions_write_keys_and_people_and_others_only_delete() -> None:
    of_sweep = statements_of(RESOURCES["SweepRole"]["Properties"]["Policies"])
    purging = [one for one in of_sweep if one["Sid"] == "PurgeKeys"]
    assert [one["Action"] for one in purging] == [["dynamodb:DeleteItem"]]
    for role, properties in of_type("AWS::IAM::Role").items():
        for statement in statements_of(properties["Policies"]):
            keys = str(statement.get("Condition", {}))
            is_allowed = statement["Action"] == ["dynamodb:UpdateItem"] or statement in purging
            if statement.get("Sid") == "WritePreferences":
                continue
            if statement.get("Sid") == "MintKeys":
                assert functions_with(role) <= {"AgentsFunction", "RouterFunction"}
                assert statement["Action"] == ["dynamodb:PutItem"]
                continue
            if statement.get("Sid") == "WriteGrants":
                # It makes keys in the name of who signs in, and people of those who come for the first time.
                assert functions_with(role) == {"OauthFunction"}
                continue
            if role == "ErasuresRole":
                assert "USER#" not in keys or statement["Action"] == ["dynamodb:DeleteItem"]
                continue
            if "USER#" in keys or ("KEY#" in keys and not is_allowed):
                assert role == "OperatorsRole"


def test_who_authenticates_may_not_name_what_a_key_grants() -> None:
    granted = AuthenticationItem.model_fields.keys() - TOUCHED
    authenticating = [
        (role, statement)
        for role, properties in of_type("AWS::IAM::Role").items()
        for statement in statements_of(properties["Policies"])
        if statement.get("Sid") == "Authenticate"
    ]

    assert {"scopes", "role", "workspace_id", "is_member", "project_ids", "linked_agent_id"} <= granted
    assert {"rate_per_minute", "calls_per_minute", "workspace_ends_at"} <= granted
    assert set().union(*(functions_with(role) for role, _ in authenticating)) == functions_behind_routes()
    for _, statement in authenticating:
        condition = statement["Condition"]
        assert set(condition["ForAllValues:StringEquals"]["dynamodb:Attributes"]) == TOUCHED
        assert condition["ForAllValues:StringLike"]["dynamodb:LeadingKeys"] == ["KEY#*", "WS#*#CALLS"]
        assert statement["Action"] == ["dynamodb:UpdateItem"]


def test_only_who_verifies_tokens_gets_the_secret_that_signs_them() -> None:
    readers = {
        function
        for role in of_type("AWS::IAM::Role")
        for statement in statements_of(RESOURCES[role]["Properties"]["Policies"])
        if "secretsmanager:GetSecretValue" in statement["Action"] and TOKEN_SECRET in str(statement)
        for function in functions_with(role)
    }
    told = {
        name
        for name, function in of_type("AWS::Serverless::Function").items()
        if "FORGE_TOKEN_SECRET_ARN" in function["Environment"]["Variables"]
    }

    assert readers == told == functions_behind_routes()
    workers = {"RelayFunction", "DispatchFunction", "SweepFunction", "TasksFunction", "WaitsFunction"}
    assert workers.isdisjoint(readers)


def test_nothing_has_a_fixed_name() -> None:
    named = {
        "AWS::DynamoDB::Table": "TableName",
        "AWS::S3::Bucket": "BucketName",
        "AWS::SQS::Queue": "QueueName",
        "AWS::Serverless::Function": "FunctionName",
        "AWS::SNS::Topic": "TopicName",
        "AWS::IAM::Role": "RoleName",
    }

    for kind, field in named.items():
        assert all(field not in properties for properties in of_type(kind).values())
    (schedule,) = of_type("AWS::Scheduler::Schedule").values()
    groups = [one["LogGroupName"] for one in of_type("AWS::Logs::LogGroup").values() if "LogGroupName" in one]
    for name in (schedule["Name"], *groups):
        assert "AWS::StackId" in str(name)


def test_what_the_team_wrote_survives_a_mistake() -> None:
    table = RESOURCES["Table"]

    for kept in (table, RESOURCES["Bucket"]):
        assert (kept["DeletionPolicy"], kept["UpdateReplacePolicy"]) == ("RetainExceptOnCreate", "Retain")
    assert table["Properties"]["PointInTimeRecoverySpecification"] == {"PointInTimeRecoveryEnabled": True}
    assert table["Properties"]["TimeToLiveSpecification"]["Enabled"] is True


def test_every_queue_has_a_place_for_what_nobody_can_handle() -> None:
    queues = of_type("AWS::SQS::Queue")
    redriven = [queue for queue in queues.values() if "RedrivePolicy" in queue]

    assert len(redriven) == len(QUEUES)
    for queue in redriven:
        dead = queues[queue["RedrivePolicy"]["deadLetterTargetArn"]["Fn::GetAtt"][0]]
        assert dead.get("FifoQueue") == queue.get("FifoQueue")
        assert dead["MessageRetentionPeriod"] == 14 * 24 * 3600


def test_what_the_relay_gives_up_on_is_set_aside_and_tells_somebody() -> None:
    (stream,) = RESOURCES["RelayFunction"]["Properties"]["Events"].values()
    aside = stream["Properties"]["DestinationConfig"]["OnFailure"]["Destination"]
    (statement,) = [one for one in statements_of(RESOURCES["RelayRole"]) if one.get("Sid") == "SetAside"]

    assert RESOURCES[aside["Fn::GetAtt"][0]]["Type"] == "AWS::SQS::Queue"
    assert (statement["Action"], statement["Resource"]) == (["sqs:SendMessage"], [aside])
    assert f"['{aside['Fn::GetAtt'][0]}', 'QueueName']" in str(of_type("AWS::CloudWatch::Alarm"))


def test_the_relay_alone_may_follow_the_stream() -> None:
    following = {
        role for role in of_type("AWS::IAM::Role") if any("Stream" in one for one in dynamodb_actions(role))
    }

    assert following == {"RelayRole"}
    assert {"dynamodb:GetRecords", "dynamodb:ListStreams"} <= actions_of("RelayRole")


def test_who_reads_objects_hears_which_are_missing() -> None:
    for role in of_type("AWS::IAM::Role"):
        # Who erases lists what there is, and reads none of it.
        is_listing = "s3:ListBucket" in actions_of(role) and role != "ErasuresRole"
        assert is_listing is ("s3:GetObject" in actions_of(role))
    assert "s3:GetObject" in actions_of("WritersRole")
    assert "s3:PutObject" not in actions_of("ReadersRole")


def test_every_function_logs_into_a_group_with_an_end_and_may() -> None:
    groups = of_type("AWS::Logs::LogGroup")

    for name, function in of_type("AWS::Serverless::Function").items():
        group = function["LoggingConfig"]["LogGroup"]["Ref"]
        role = function["Role"]["Fn::GetAtt"][0]
        (allowed,) = [one for one in statements_of(RESOURCES[role]) if one.get("Sid") == "WriteLog"]
        assert allowed["Resource"] == [{"Fn::Sub": f"${{{group}.Arn}}"}], name
        assert "RetentionInDays" in groups[group]


def test_every_function_is_traced_and_may_tell_of_it() -> None:
    for function in of_type("AWS::Serverless::Function").values():
        assert function["Tracing"] == {"Ref": "Tracing"}
        assert "xray:PutTraceSegments" in actions_of(function["Role"]["Fn::GetAtt"][0])


def test_the_api_logs_each_request_as_json_with_the_id_that_answers_carry() -> None:
    (stage,) = of_type("AWS::ApiGatewayV2::Stage").values()
    settings = stage["AccessLogSettings"]

    assert json.loads(settings["Format"])["requestId"] == "$context.requestId"
    assert "RetentionInDays" in RESOURCES[settings["DestinationArn"]["Fn::GetAtt"][0]]["Properties"]


def test_only_the_router_can_be_given_a_share_of_the_accounts_concurrency_and_needs_none() -> None:
    functions = of_type("AWS::Serverless::Function")
    reserved = {name for name, one in functions.items() if "ReservedConcurrentExecutions" in one}

    assert reserved == {"RouterFunction"}
    assert TEMPLATE["Parameters"]["RouterConcurrency"]["Default"] == 0


def test_the_template_for_this_machine_differs_only_in_runtime_and_architecture() -> None:
    folders, here = find_namespaces(), this_machine()
    committed, local = template(folders, Target()), template(folders, here)

    as_if = (
        str(local).replace(here.runtime, Target().runtime).replace(here.architecture, Target().architecture)
    )

    assert as_if == str(committed)
    assert committed == TEMPLATE
