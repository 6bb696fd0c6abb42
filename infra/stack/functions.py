"""The functions: one per folder. Those with the same rights share a role."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from forge.contract.terms import Effect
from forge.contract.tools import AnyTool, Namespace
from forge.store.physical import QUEUES
from infra.stack import policies, provider
from infra.stack.addresses import public_url
from infra.stack.canary import preference
from infra.stack.data import BUCKET, TABLE, TOKEN_SECRET, queue_id
from infra.stack.logs import FUNCTIONS_LOG
from infra.stack.parameters import team
from infra.stack.publishing import ALIAS, alias_of, published
from infra.stack.roles import Rights, policy, role_resources
from infra.stack.shapes import Resource, Resources, attribute, pascal, ref, sub

ROUTER, ADMIN, EVENTS, GITHUB = "router", "admin", "events", "github"
RELAY, DISPATCH, WAITS, TASKS, SWEEP = "relay", "dispatch", "waits", "tasks", "sweep"
ERRANDS, EXPORTS, ERASURES, WORDS = "errands", "exports", "erasures", "words"
OAUTH = "oauth"
"""Where people sign in and clients get their tokens: no tools, and nothing that tools wait for."""
IN_ROUTER = frozenset({"catalog", "gateway"})
"""Deployed with the router, because they call any tool."""

Folders = Mapping[str, Namespace]
"""Each namespace by the folder that it is deployed from."""

_NAMED_RIGHTS = {
    ADMIN: "Operators",
    policies.PREFERRING: "Preferences",
    policies.MINTING: "Agents",
    policies.ATTACHMENTS: "Attachments",
    **dict.fromkeys(policies.ASKING_GITHUB, "Trackers"),
}
"""The folders that may do what others may not, each with a role of its own."""

LAYER, PIPELINE_LAYER, GITHUB_LAYER = "SharedLayer", "PipelineLayer", "GitHubLayer"
OAUTH_LAYER = "OAuthLayer"
PIPELINE = "pipeline"
"""The one folder that ranks: what it needs for that is in a layer that nobody else has."""

_OF_FEW = {
    PIPELINE_LAYER: frozenset({PIPELINE}),
    # Signatures of other kinds than our own are made with the same package.
    GITHUB_LAYER: policies.ASKING_GITHUB | {OAUTH},
    OAUTH_LAYER: frozenset({OAUTH}),
}
"""The layers that not all functions have, and the folders whose functions have them."""
_DESCRIPTIONS = {
    LAYER: "forge and what it depends on",
    PIPELINE_LAYER: "what the pipeline function ranks with",
    GITHUB_LAYER: "what signs for a GitHub App",
    OAUTH_LAYER: "what the authorization server is built on",
}

TOOL_SECONDS, ROUTER_SECONDS, DISPATCH_SECONDS, TASK_SECONDS, SWEEP_SECONDS = 26, 29, 30, 300, 55
ERRAND_SECONDS, EXPORT_SECONDS = 60, 900
_LINTED = {"cfn-lint": {"config": {"ignore_checks": ["W3011"]}}}
"""A function goes with its stack, and its data is elsewhere."""
TOOL, WAITING = 1024, 256
"""Megabytes of who computes, and of who waits for others most of the time."""


@dataclass(frozen=True, slots=True)
class Target:
    """What the template is generated for: the account, or this machine."""

    runtime: str = "python3.13"
    architecture: str = "arm64"


@dataclass(frozen=True, slots=True)
class Function:
    folder: str
    rights: Rights
    seconds: int = TOOL_SECONDS
    megabytes: int = TOOL
    """As many as somebody who waits needs: with them comes the share of a processor."""
    code: str = ""
    """Its own folder, unless said otherwise."""
    answers_callers: bool = True
    """Somebody waits, so a snapshot may be worth its price; and shows a key, so it verifies keys."""
    properties: Mapping[str, Any] | None = None
    """What only this one has."""
    events: Mapping[str, Any] | None = None
    queues: tuple[str, ...] = tuple(queue.name for queue in QUEUES)
    """Those that it is told the addresses of."""
    environment: Mapping[str, Any] | None = None

    @property
    def id(self) -> str:
        return function_id(self.folder)


def function_id(folder: str) -> str:
    return f"{pascal(folder)}Function"


def called(folder: str) -> dict[str, Any]:
    """The ARN by which a function that answers callers is called."""
    return alias_of(function_id(folder))


def layers_of(folder: str) -> list[str]:
    """The names of the layers that a folder's function always has."""
    return [LAYER, *(layer for layer, folders in _OF_FEW.items() if folder in folders)]


def tool_folders(folders: Folders) -> list[str]:
    """The folders that are functions of their own, the operators' one included."""
    return [folder for folder in sorted(folders) if folder not in IN_ROUTER]


def function_resources(folders: Folders, target: Target, workers: Iterable[Function]) -> Resources:
    functions = [_router(folders), *_tool_functions(folders), _oauth(), *workers]
    used = {layer for function in functions for layer in layers_of(function.folder)}
    return {
        **{layer: _layer(target, words) for layer, words in _DESCRIPTIONS.items() if layer in used},
        **{function.id: _function(function, target) for function in functions},
        **role_resources(function.rights for function in functions),
    }


def _router(folders: Folders) -> Function:
    """It ships with every namespace: those it answers for, and all of them where they run inline."""
    others = [folder for folder in tool_folders(folders) if folder != ADMIN]
    # By name, because ARNs of all of them would not fit into an environment of four kilobytes.
    names = ", ".join(f'"{folder}": "${{{function_id(folder)}}}:{ALIAS}"' for folder in others)
    tools = [tool for folder in folders if folder != ADMIN for tool in tools_of(folders[folder])]
    invoking = [
        policies.read_table(),
        policies.authenticate(),
        policies.read_token_secret(),
        policies.invoke(called(folder) for folder in others),
        *policies.gateway_statements(),
    ]
    inline = [*policies.tool_statements(tools, is_admin=False), policies.hand_out()]
    chosen = {"Fn::If": ["RouterInvokes", policy("Invoking", invoking), policy("Inline", inline)]}
    reserved = {"Fn::If": ["ReservesRouter", ref("RouterConcurrency"), ref("AWS::NoValue")]}
    return Function(
        ROUTER,
        Rights("Router", [chosen]),
        seconds=ROUTER_SECONDS,
        code="functions/",
        # What the gateway puts off is all that it sends, and its environment is full of functions.
        queues=(TASKS,),
        properties={
            "ReservedConcurrentExecutions": reserved,
            "DeploymentPreference": preference(),
            **_inline_layers(folders),
        },
        environment={
            "FORGE_ROUTER_MODE": ref("RouterMode"),
            "FORGE_FUNCTIONS": sub(f"{{{names}}}"),
            "FORGE_OAUTH": ref("OAuth"),
        },
    )


def _oauth() -> Function:
    """It makes keys in the name of whoever signs in, and keeps what became of those who asked."""
    rights = [
        policies.read_table(),
        policies.authenticate(),
        policies.read_token_secret(),
        provider.read_secrets(),
        # Whoever comes in for the first time becomes a user.
        policies.write_keys("WriteGrants", [policies.WORKSPACES, "KEY#*", "OAUTH#*", "USER#*", "EMAIL#*"]),
    ]
    return Function(
        OAUTH,
        Rights("SigningIn", [policy("SigningIn", rights)]),
        queues=(),
        environment={"FORGE_OAUTH": ref("OAuth"), **provider.environment()},
    )


def _inline_layers(folders: Folders) -> Resource:
    """Where the router runs tools itself, it needs for them what their own functions have."""
    needed = [layer for layer, own in _OF_FEW.items() if own & set(folders) - {OAUTH}]
    inline = [{"Fn::If": ["RouterInvokes", ref("AWS::NoValue"), ref(layer)]} for layer in needed]
    return {"Layers": [ref(LAYER), *inline]}


def _tool_functions(folders: Folders) -> list[Function]:
    return [
        # Who follows events holds a function for as long as nothing happens, and pays for its memory.
        Function(
            folder, _tool_rights(folder, folders[folder]), megabytes=WAITING if folder == EVENTS else TOOL
        )
        for folder in tool_folders(folders)
    ]


def _tool_rights(folder: str, namespace: Namespace) -> Rights:
    """By effect. What a call did is told apart by the name of the role's session, which is the function's."""
    tools = tools_of(namespace)
    writes = any(tool.effect is not Effect.READ_ONLY for tool in tools)
    name = _NAMED_RIGHTS.get(folder, "Writers" if writes else "Readers")
    return Rights(name, [policy("Tools", policies.tool_statements(tools, is_admin=folder == ADMIN))])


def tools_of(namespace: Namespace) -> list[AnyTool]:
    return list(namespace.tools.values())


def _layer(target: Target, description: str) -> Resource:
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
            "Description": description,
            "ContentUri": "shared/",
            "CompatibleRuntimes": [target.runtime],
            "CompatibleArchitectures": [target.architecture],
            "RetentionPolicy": "Delete",
            # Otherwise a change of the layer alone would publish nothing, and aliases go on with the old one.
            "PublishLambdaVersion": True,
        },
    }


def _function(function: Function, target: Target) -> Resource:
    properties: Resource = {
        "CodeUri": function.code or f"functions/{function.folder}/",
        "Handler": f"functions.{function.folder}.app.handler",
        "Runtime": target.runtime,
        "Architectures": [target.architecture],
        "MemorySize": function.megabytes,
        "Timeout": function.seconds,
        "Layers": [ref(layer) for layer in layers_of(function.folder)],
        "Role": attribute(function.rights.role, "Arn"),
        "LoggingConfig": {"LogGroup": ref(FUNCTIONS_LOG)},
        "Tracing": ref("Tracing"),
        "Environment": {"Variables": _environment(function)},
        **(function.properties or {}),
    }
    if function.events:
        properties["Events"] = function.events
    return {
        "Type": "AWS::Serverless::Function",
        # Keeps functions/<folder>/ inside the zip, so that import path and file path agree.
        "Metadata": {"BuildProperties": {"ParentPackageMode": "auto"}, **_LINTED},
        # SAM passes it on to versions, one of which is replaced by another value of a parameter.
        **({"UpdateReplacePolicy": "Retain"} if function.answers_callers else {}),
        "Properties": published(properties) if function.answers_callers else properties,
    }


def _environment(function: Function) -> dict[str, Any]:
    queues = {f"FORGE_QUEUE_{name.upper()}": ref(queue_id(name)) for name in function.queues}
    return {
        "FORGE_TABLE": ref(TABLE),
        "FORGE_BUCKET": ref(BUCKET),
        **({"FORGE_TOKEN_SECRET_ARN": ref(TOKEN_SECRET)} if function.answers_callers else {}),
        "FORGE_PUBLIC_URL": public_url(),
        "FORGE_SECRETS": sub(policies.SECRETS),
        "FORGE_TEAM": team(),
        "FORGE_TRACING": ref("Tracing"),
        **({"FORGE_NAMESPACE_METRICS": ref("NamespaceMetrics")} if function.answers_callers else {}),
        **queues,
        **(function.environment or {}),
    }
