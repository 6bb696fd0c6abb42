"""The HTTP API: a route per tool straight to its function, everything else to the router.

Operators' tools are one function's, so one route leads to all of them. The API calls functions by a role,
because a permission for each of them would be a resource of its own.
"""

import json

from forge.contract.tools import Namespace
from forge.wire.pages import DOCS_PATH, OPENAPI_PATH
from forge.wire.paths import OAUTH_DOCUMENTS, OAUTH_PATH, STREAM_PATH
from forge.work.record.links import CONSOLE_PATH, HOOK_PATH, issue_path
from infra.stack import policies
from infra.stack.addresses import API
from infra.stack.functions import (
    ADMIN,
    EVENTS,
    GITHUB,
    IN_ROUTER,
    OAUTH,
    ROUTER,
    Folders,
    called,
    function_id,
)
from infra.stack.logs import API_LOG
from infra.stack.roles import policy, role
from infra.stack.shapes import Resource, Resources, attribute, pascal, ref, sub

CALLER, STAGE = "ApiRole", "HttpApiStage"
LANES = 5
"""Routes and integrations that are made at once: API Gateway takes ten requests a second of an account."""

_PAGES = (
    *(f"GET {DOCS_PATH}", f"GET {DOCS_PATH}/{{file}}", f"GET {OPENAPI_PATH}"),
    *(f"GET {CONSOLE_PATH}", f"GET {CONSOLE_PATH}/{{proxy+}}"),
    f"GET {issue_path('{slug}', '{identifier}')}",
)

_OAUTH = f"ANY {OAUTH_PATH}{{proxy+}}"
_DOCUMENTS = {f"ANY {path}": name for path, name in OAUTH_DOCUMENTS.items()}
_OPERATORS = "POST /api/admin/{tool}"
_HOOK = f"POST {HOOK_PATH}{{mappingId}}"

_ACCESS_LINE = json.dumps(
    {
        # The id that every line of the call has, and its answer.
        "requestId": "$context.requestId",
        "time": "$context.requestTime",
        "route": "$context.routeKey",
        "path": "$context.path",
        "status": "$context.status",
        "ms": "$context.responseLatency",
        "functionMs": "$context.integrationLatency",
        "bytes": "$context.responseLength",
        "ip": "$context.identity.sourceIp",
        "agent": "$context.identity.userAgent",
        # Why there is no answer of ours.
        "error": "$context.error.message",
        "functionError": "$context.integrationErrorMessage",
    }
)


def api_resources(folders: Folders) -> Resources:
    routes = {key: folder for folder in sorted(folders) for key in _routes_of(folder, folders[folder])}
    routes |= dict.fromkeys(_PAGES, ADMIN)
    if EVENTS in folders:
        routes |= {f"GET {STREAM_PATH}": EVENTS}
    if GITHUB in folders:
        routes |= {_HOOK: GITHUB}
    routes |= dict.fromkeys([_OAUTH, *_DOCUMENTS], OAUTH)
    routes |= {"POST /api/mcp/{tool}": ROUTER, "$default": ROUTER}
    called_folders = list(dict.fromkeys(routes.values()))
    lanes = _in_lanes(
        # All integrations before all routes: a route waits for its own, and nobody for each other.
        {f"{function_id(folder)}Integration": _integration(folder) for folder in called_folders}
        | {_route_id(key): _route(key, folder) for key, folder in routes.items()}
    )
    return {
        API: _api(),
        # After everything that it serves: a stage is deployed anew with each route that it sees made.
        STAGE: _stage() | {"DependsOn": [*lanes][-LANES:]},
        CALLER: role("apigateway.amazonaws.com", [_calling(called_folders)]),
        **lanes,
    }


def _in_lanes(resources: Resources) -> Resources:
    """Each begun when the one before it in its lane is there; removed the other way round."""
    before = dict(zip([*resources][LANES:], resources, strict=False))
    return {
        name: one | ({"DependsOn": before[name]} if name in before else {}) for name, one in resources.items()
    }


def _routes_of(folder: str, namespace: Namespace) -> list[str]:
    if folder in IN_ROUTER:
        return []
    if folder == ADMIN:
        return [_OPERATORS]
    return sorted(f"POST /api/mcp/{name}" for name in namespace.tools)


def _api() -> Resource:
    return {
        "Type": "AWS::ApiGatewayV2::Api",
        "Properties": {
            "Name": sub("${AWS::StackName}"),
            "ProtocolType": "HTTP",
            "DisableExecuteApiEndpoint": {"Fn::If": ["OnlyOwnName", True, False]},
        },
    }


def _stage() -> Resource:
    return {
        "Type": "AWS::ApiGatewayV2::Stage",
        "Properties": {
            "ApiId": ref(API),
            # No prefix in paths: clients look for /.well-known at the root.
            "StageName": "$default",
            "AutoDeploy": True,
            "AccessLogSettings": {"DestinationArn": attribute(API_LOG, "Arn"), "Format": _ACCESS_LINE},
            "DefaultRouteSettings": {
                "ThrottlingRateLimit": ref("ThrottleRate"),
                "ThrottlingBurstLimit": ref("ThrottleBurst"),
            },
        },
    }


def _calling(folders: list[str]) -> Resource:
    """What the API may while it calls a function: these, and nothing else."""
    return policy("Calling", [policies.invoke(called(folder) for folder in folders)])


def _integration(folder: str) -> Resource:
    return {
        "Type": "AWS::ApiGatewayV2::Integration",
        "Properties": {
            "ApiId": ref(API),
            "IntegrationType": "AWS_PROXY",
            "IntegrationUri": called(folder),
            "CredentialsArn": attribute(CALLER, "Arn"),
            "PayloadFormatVersion": "2.0",
        },
    }


def _route(key: str, folder: str) -> Resource:
    return {
        "Type": "AWS::ApiGatewayV2::Route",
        "Properties": {
            "ApiId": ref(API),
            "RouteKey": key,
            "Target": sub(f"integrations/${{{function_id(folder)}Integration}}"),
        },
    }


def _route_id(key: str) -> str:
    """`POST /api/mcp/issues.create` as a logical id: `RouteIssuesCreate`."""
    named = {
        "$default": "Everything",
        "POST /api/mcp/{tool}": "OtherSpelling",
        _OPERATORS: "Operators",
        f"GET {DOCS_PATH}/{{file}}": "PageDocsFile",
        f"GET {CONSOLE_PATH}/{{proxy+}}": "PageConsoleBeneath",
        f"GET {issue_path('{slug}', '{identifier}')}": "PageIssue",
        f"GET {STREAM_PATH}": "EventsStream",
        _HOOK: "GithubWebhook",
        _OAUTH: "OAuth",
        **_DOCUMENTS,
    }
    if key in named:
        return f"Route{named[key]}"
    path = key.split(" ", 1)[1]
    for prefix, mark in (("/api/mcp/", ""), ("/", "Page")):
        if path.startswith(prefix):
            return f"Route{mark}{pascal(path[len(prefix) :])}"
    raise ValueError(key)
