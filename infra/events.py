"""One example event per function, as Lambda sends it: for `sam local invoke`, and replayed by the tests."""

import json
import re
from typing import Any

from forge.contract.terms import Effect, Surface
from forge.contract.tools import AnyTool, Namespace
from forge.store.items import Item
from forge.testing.clock import NOON
from forge.wire.protocol import META_CAPABILITIES, META_VERSION, MODERN_VERSION
from forge.work.record.log.rows import OutboxItem
from infra.stack.functions import (
    DISPATCH,
    ERASURES,
    ERRANDS,
    EXPORTS,
    OAUTH,
    RELAY,
    ROUTER,
    SWEEP,
    TASKS,
    WAITS,
    WORDS,
    Folders,
    tool_folders,
)

EXAMPLE_KEY = "forge_sk_" + "ExampleKeyThatOpensNothing".ljust(43, "0")
"""Well formed, and known to no deployment."""

_EXAMPLE = re.compile(r"Example: (\{.*\})", re.DOTALL)
_PREFIX = {Surface.MCP: "/api/mcp/", Surface.ADMIN: "/api/admin/"}


def example_events(folders: Folders) -> dict[str, dict[str, Any]]:
    """By the folder of the function."""
    events = {folder: _tool_event(folders[folder]) for folder in tool_folders(folders)}
    # Both were purged since: there is nothing left to do, and nobody to be posted to.
    delivery = {"deliveryId": "whd_example", "workspaceId": "ws_example"}
    wait = {"waitId": "ar_example-1", "workspaceId": "ws_example"}
    task = {"taskId": "task_example", "workspaceId": "ws_example"}
    errand = {"issue": "repo_example#1", "workspaceId": "ws_example"}
    export = {"exportId": "exp_example", "workspaceId": "ws_example"}
    words = {"issueId": "iss_example", "workspaceId": "ws_example"}
    erasure = {"erasureId": "usr_example", "workspaceId": "ws_example"}
    workers = {
        RELAY: _stream_event(),
        DISPATCH: _queue_event(DISPATCH, delivery),
        WAITS: _queue_event(WAITS, wait),
        TASKS: _queue_event(TASKS, task),
        ERRANDS: _queue_event(ERRANDS, errand),
        EXPORTS: _queue_event(EXPORTS, export),
        WORDS: _queue_event(WORDS, words),
        ERASURES: _queue_event(ERASURES, erasure),
        SWEEP: _schedule_event(),
    }
    return events | {ROUTER: _mcp_event(), OAUTH: _discovery_event()} | workers


def example_arguments(tool: AnyTool) -> dict[str, Any]:
    """What the tool's own description shows."""
    found = _EXAMPLE.search(tool.description)
    if found is None:
        raise ValueError(f"{tool.name}: the docstring shows no example")
    arguments: dict[str, Any] = json.loads(found[1])
    return arguments


def _tool_event(namespace: Namespace) -> dict[str, Any]:
    """A call of the folder's list, or of another reader: most of them work on an empty workspace, too."""
    tools = sorted(namespace.tools.values(), key=str)
    readers = [tool for tool in tools if tool.effect is Effect.READ_ONLY]
    lists = [tool for tool in readers if tool.name.endswith(".list")]
    tool = (lists or readers or tools)[0]
    return http_event(f"{_PREFIX[tool.surface]}{tool.name}", example_arguments(tool), {})


def _mcp_event() -> dict[str, Any]:
    params = {
        "name": "workspace_get",
        "arguments": {},
        "_meta": {META_VERSION: MODERN_VERSION, META_CAPABILITIES: {}},
    }
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    headers = {
        "mcp-protocol-version": MODERN_VERSION,
        "mcp-method": "tools/call",
        "mcp-name": "workspace_get",
    }
    return http_event("/api/mcp/rpc", message, headers)


def _discovery_event() -> dict[str, Any]:
    """How a client finds out where people sign in."""
    event = http_event("/.well-known/oauth-authorization-server/oauth", {}, {})
    event["requestContext"]["http"]["method"] = "GET"
    event["requestContext"]["routeKey"] = event["routeKey"] = event["routeKey"].replace("POST", "GET")
    return event | {"body": ""}


def http_event(path: str, body: dict[str, Any], headers: dict[str, str]) -> dict[str, Any]:
    return {
        "version": "2.0",
        "routeKey": f"POST {path}",
        "rawPath": path,
        "rawQueryString": "",
        "headers": {
            "authorization": f"Bearer {EXAMPLE_KEY}",
            "content-type": "application/json",
            "host": "example.execute-api.us-east-1.amazonaws.com",
            **headers,
        },
        "requestContext": {
            "accountId": "123456789012",
            "apiId": "example",
            "domainName": "example.execute-api.us-east-1.amazonaws.com",
            "http": {
                "method": "POST",
                "path": path,
                "protocol": "HTTP/1.1",
                "sourceIp": "192.0.2.1",
                "userAgent": "example",
            },
            "requestId": "example-request",
            "routeKey": f"POST {path}",
            "stage": "$default",
            "timeEpoch": int(NOON.timestamp() * 1000),
        },
        "body": json.dumps(body),
        "isBase64Encoded": False,
    }


def _stream_event() -> dict[str, Any]:
    mark = OutboxItem(
        workspace_id="ws_example", id="evt_example", rows=["evt_example"], created_at=NOON, outbox_due=NOON
    )
    return {"Records": [_stream_record(mark)]}


def _stream_record(item: Item) -> dict[str, Any]:
    image = item.attributes()
    return {
        "eventID": "1",
        "eventName": "INSERT",
        "eventSource": "aws:dynamodb",
        "eventVersion": "1.1",
        "awsRegion": "us-east-1",
        "dynamodb": {
            "Keys": {name: image[name] for name in ("pk", "sk")},
            "NewImage": image,
            "SequenceNumber": "1",
            "StreamViewType": "NEW_IMAGE",
        },
    }


def _queue_event(queue: str, message: dict[str, str]) -> dict[str, Any]:
    record = {
        "messageId": "00000000-0000-0000-0000-000000000001",
        "receiptHandle": "example",
        "body": json.dumps(message),
        "attributes": {"ApproximateReceiveCount": "1"},
        "messageAttributes": {},
        "eventSource": "aws:sqs",
        "eventSourceARN": f"arn:aws:sqs:us-east-1:123456789012:{queue}",
        "awsRegion": "us-east-1",
    }
    return {"Records": [record]}


def _schedule_event() -> dict[str, Any]:
    return {
        "version": "0",
        "id": "example",
        "detail-type": "Scheduled Event",
        "source": "aws.scheduler",
        "time": NOON.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "region": "us-east-1",
        "resources": [],
        "detail": "{}",
    }
