"""The functions: one per folder, each with its own role, log group and permissions."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from forge.contract.tools import AnyTool, Namespace
from forge.store.physical import QUEUES
from infra.stack import policies
from infra.stack.data import BUCKET, RELAY_FAILURES, TABLE, TOKEN_SECRET, queue_id
from infra.stack.policies import Statement
from infra.stack.shapes import Resource, Resources, attribute, pascal, ref, sub

ROUTER, ADMIN, RELAY, SWEEP = "router", "admin", "relay", "sweep"
IN_ROUTER = frozenset({"catalog", "gateway"})
"""Deployed with the router, because they call any tool."""

Folders = Mapping[str, Namespace]
"""Each namespace by the folder that it is deployed from."""

_ANNOUNCED = '{"dynamodb": {"NewImage": {"outbox_due": {"S": [{"exists": true}]}}}}'
"""Only rows that somebody has to be told about reach the relay."""

LAYER = "SharedLayer"
TOOL_SECONDS, ROUTER_SECONDS, SWEEP_SECONDS = 26, 29, 55


_ALIAS = "live"


@dataclass(frozen=True, slots=True)
class Target:
    """What the template is generated for: the account, or this machine.

    SnapStart is no parameter of the stack. It works on published versions only, so it needs an alias that
    everybody calls, and SAM makes one or makes none before conditions are looked at: AutoPublishAlias takes
    no Fn::If, no empty name and no condition of its own. A version that is written out by hand would never
    be published again when the code changes. And an alias for all would take two resources a function from
    the limit of the stack, for those too who do without.
    """

    runtime: str = "python3.13"
    architecture: str = "arm64"
    has_snap_start: bool = False


@dataclass(frozen=True, slots=True)
class Function:
    folder: str
    policies: list[Any]
    """Inline policies of its role; a condition may choose between two."""
    seconds: int = TOOL_SECONDS
    code: str = ""
    """Its own folder, unless said otherwise."""
    answers_callers: bool = True
    """Somebody waits, so SnapStart is worth its price, and shows a key or a token, so it verifies them."""
    events: Mapping[str, Any] | None = None
    environment: Mapping[str, Any] | None = None

    @property
    def id(self) -> str:
        return function_id(self.folder)


def function_id(folder: str) -> str:
    return f"{pascal(folder)}Function"


def called(folder: str, target: Target) -> dict[str, Any]:
    """The ARN by which a function that answers callers is called: its own, or its alias's."""
    function = function_id(folder)
    return ref(f"{function}.Alias") if target.has_snap_start else attribute(function, "Arn")


def tool_folders(folders: Folders) -> list[str]:
    """The folders that are functions of their own, the operators' one included."""
    return [folder for folder in sorted(folders) if folder not in IN_ROUTER]


def function_resources(folders: Folders, target: Target) -> Resources:
    functions = [_router(folders, target), *_tool_functions(folders), _relay(), _sweep()]
    resources = {LAYER: _layer(target)}
    for function in functions:
        resources |= _resources_of(function, target)
    return resources


def _router(folders: Folders, target: Target) -> Function:
    """It ships with every namespace: those it answers for, and all of them where they run inline."""
    others = [folder for folder in tool_folders(folders) if folder != ADMIN]
    # By name, because ARNs of all of them would not fit into an environment of four kilobytes.
    qualifier = f":{_ALIAS}" if target.has_snap_start else ""
    names = ", ".join(f'"{folder}": "${{{function_id(folder)}}}{qualifier}"' for folder in others)
    tools = [tool for folder in folders if folder != ADMIN for tool in _tools(folders[folder])]
    invoking = [
        policies.read_table(),
        policies.authenticate(),
        policies.read_token_secret(),
        policies.invoke(called(folder, target) for folder in others),
    ]
    inline = policies.tool_statements(tools, is_admin=False)
    return Function(
        ROUTER,
        policies=[{"Fn::If": ["RouterInvokes", policy("Invoking", invoking), policy("Inline", inline)]}],
        seconds=ROUTER_SECONDS,
        code="functions/",
        environment={"FORGE_ROUTER_MODE": ref("RouterMode"), "FORGE_FUNCTIONS": sub(f"{{{names}}}")},
    )


def _tool_functions(folders: Folders) -> list[Function]:
    return [
        Function(
            folder,
            policies=[
                policy("Tools", policies.tool_statements(_tools(folders[folder]), is_admin=folder == ADMIN))
            ],
        )
        for folder in tool_folders(folders)
    ]


def _relay() -> Function:
    return Function(
        RELAY,
        policies=[policy("Relay", [*policies.worker_statements(), *policies.follow_stream()])],
        answers_callers=False,
        events={
            "Stream": {
                "Type": "DynamoDB",
                "Properties": {
                    "Stream": attribute(TABLE, "StreamArn"),
                    "StartingPosition": "TRIM_HORIZON",
                    "BatchSize": 100,
                    "BisectBatchOnFunctionError": True,
                    "MaximumRetryAttempts": 5,
                    "DestinationConfig": {
                        "OnFailure": {"Type": "SQS", "Destination": attribute(RELAY_FAILURES, "Arn")}
                    },
                    "FunctionResponseTypes": ["ReportBatchItemFailures"],
                    "FilterCriteria": {"Filters": [{"Pattern": _ANNOUNCED}]},
                },
            }
        },
    )


def _sweep() -> Function:
    return Function(
        SWEEP,
        policies=[policy("Sweep", [*policies.worker_statements(), policies.purge_keys()])],
        seconds=SWEEP_SECONDS,
        answers_callers=False,
    )


def _tools(namespace: Namespace) -> list[AnyTool]:
    return list(namespace.tools.values())


def _layer(target: Target) -> Resource:
    return {
        "Type": "AWS::Serverless::LayerVersion",
        # The root's Makefile builds it, in the root: see `infra.layer`.
        "Metadata": {
            "BuildMethod": "makefile",
            "BuildArchitecture": target.architecture,
            "ContextPath": ".",
            "WorkingDirectory": ".",
        },
        "Properties": {
            "Description": "forge and what it depends on",
            "ContentUri": "shared/",
            "CompatibleRuntimes": [target.runtime],
            "CompatibleArchitectures": [target.architecture],
            "RetentionPolicy": "Delete",
        },
    }


def _resources_of(function: Function, target: Target) -> Resources:
    log_group, role = f"{function.id}Log", f"{function.id}Role"
    properties = {
        "CodeUri": function.code or f"functions/{function.folder}/",
        "Handler": f"functions.{function.folder}.app.handler",
        "Runtime": target.runtime,
        "Architectures": [target.architecture],
        "MemorySize": 1024,
        "Timeout": function.seconds,
        "Layers": [ref(LAYER)],
        "Role": attribute(role, "Arn"),
        "LoggingConfig": {"LogGroup": ref(log_group)},
        "Environment": {"Variables": _environment(function)},
        "Tags": {"team": ref("TeamName")},
    }
    return {
        function.id: {
            "Type": "AWS::Serverless::Function",
            # Keeps functions/<folder>/ inside the zip, so that import path and file path agree.
            "Metadata": {"BuildProperties": {"ParentPackageMode": "auto"}},
            "Properties": properties
            | ({"Events": function.events} if function.events else {})
            | (_snap_start() if target.has_snap_start and function.answers_callers else {}),
        },
        role: _role(function, log_group),
        log_group: {
            "Type": "AWS::Logs::LogGroup",
            "Properties": {"RetentionInDays": ref("LogRetentionDays")},
        },
    }


def _snap_start() -> dict[str, Any]:
    return {
        "SnapStart": {"ApplyOn": "PublishedVersions"},
        "AutoPublishAlias": _ALIAS,
        # Otherwise a change of the layer alone would publish nothing, and the alias go on with the old one.
        "AutoPublishAliasAllProperties": True,
    }


def _environment(function: Function) -> dict[str, Any]:
    queues = {f"FORGE_QUEUE_{queue.name.upper()}": ref(queue_id(queue.name)) for queue in QUEUES}
    return {
        "FORGE_TABLE": ref(TABLE),
        "FORGE_BUCKET": ref(BUCKET),
        **({"FORGE_TOKEN_SECRET_ARN": ref(TOKEN_SECRET)} if function.answers_callers else {}),
        "FORGE_TEAM": ref("TeamName"),
        **queues,
        **(function.environment or {}),
    }


def _role(function: Function, log_group: str) -> Resource:
    return {
        "Type": "AWS::IAM::Role",
        "Properties": {
            "AssumeRolePolicyDocument": assumed_by("lambda.amazonaws.com"),
            "Policies": [policy("Log", [policies.write_log(log_group)]), *function.policies],
        },
    }


def assumed_by(service: str) -> Resource:
    return {
        "Version": "2012-10-17",
        "Statement": [{"Effect": "Allow", "Principal": {"Service": service}, "Action": "sts:AssumeRole"}],
    }


def policy(name: str, statements: list[Statement]) -> Resource:
    return {"PolicyName": name, "PolicyDocument": {"Version": "2012-10-17", "Statement": statements}}
