"""What every contender serves: the same 166 tools, the same events, the same answer.

Free of third-party imports, because it runs in the peers' environment too.
"""

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

TOOL_COUNT = 166
A_KEY = "forge_sk_" + "k" * 43
RPC_PATH = "/api/mcp/rpc"
ROUTE_PATH = "/api/issues"

_NOUNS = (
    *("issues", "comments", "projects", "cycles", "labels", "statuses", "goals", "initiatives", "plans"),
    *("runs", "agents", "runtimes", "artifacts", "documents", "gates", "chats", "webhooks"),
)
_VERBS = ("create", "get", "list", "update", "archive", "restore", "assign", "link", "search", "export")


class Priority(StrEnum):
    NONE = "NONE"
    LOW = "LOW"
    MEDIUM = "MEDIUM"
    HIGH = "HIGH"
    URGENT = "URGENT"


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    kind: Any
    description: str
    example: object
    max_length: int | None = None

    @property
    def wire_name(self) -> str:
        head, *rest = self.name.split("_")
        return head + "".join(word.capitalize() for word in rest)


@dataclass(frozen=True, slots=True)
class ToolSpec:
    namespace: str
    verb: str
    description: str
    parameters: tuple[Parameter, ...]

    @property
    def name(self) -> str:
        """The spelling that every client accepts."""
        return f"{self.namespace}_{self.verb}"

    @property
    def arguments(self) -> dict[str, object]:
        return {parameter.wire_name: parameter.example for parameter in self.parameters}


_TITLE = Parameter("title", str, "One line, imperative mood, without a trailing period.", "Fix login", 300)
_OPTIONAL = (
    Parameter("description", str, "Markdown body: context, steps and acceptance criteria.", "Steps: 1", 9000),
    Parameter("priority", Priority, "How urgent it is: NONE, LOW, MEDIUM, HIGH or URGENT.", "HIGH"),
    Parameter(
        "project_id", str, "Project that will own it; the key's only project if left out.", "prj_1", 64
    ),
    Parameter(
        "label_ids", list[str], "Labels to attach, by id; unknown ones are refused.", ["lbl_1", "lbl_2"]
    ),
    Parameter("estimate", int, "Size in points, as the team counts them.", 3),
    Parameter("is_draft", bool, "True keeps it out of the triage queue until it is published.", False),
    Parameter("assignee_id", str, "Agent or person who will do the work.", "agt_1", 64),
    Parameter("cursor", str, "Where the last page ended; leave it out for the first page.", "c_1", 500),
)

RECEIPT: dict[str, object] = {
    "id": "iss_01JZX3V9Q6M2T8R4N7K5W1Y0AB",
    "identifier": "DEMO-42",
    "title": _TITLE.example,
    "status": "TODO",
    "createdAt": "2026-07-28T12:00:00Z",
    "labelIds": ["lbl_1", "lbl_2"],
}
"""What the called tool answers, in every contender."""


_HEADERS = {
    "accept": "application/json, text/event-stream",
    "accept-encoding": "gzip, deflate, br",
    "content-type": "application/json",
    "host": "a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com",
    "mcp-protocol-version": "2025-11-25",
    "user-agent": "a-client/2.1.0",
    "x-amzn-trace-id": "Root=1-6a68c1f0-0123456789abcdef01234567",
    "x-forwarded-for": "203.0.113.7",
    "x-forwarded-port": "443",
    "x-forwarded-proto": "https",
}
_HTTP = {
    "method": "POST",
    "protocol": "HTTP/1.1",
    "sourceIp": "203.0.113.7",
    "userAgent": "a-client/2.1.0",
}
_REQUEST_CONTEXT = {
    "accountId": "123456789012",
    "apiId": "a1b2c3d4e5",
    "domainName": "a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com",
    "requestId": "JKJaXmPLvHcESHA=",
    "routeKey": "$default",
    "stage": "$default",
    "time": "28/Jul/2026:12:00:00 +0000",
    "timeEpoch": 1785240000000,
}


def tool_specs() -> list[ToolSpec]:
    pairs = [(noun, verb) for noun in _NOUNS for verb in _VERBS]
    return [_spec(number, *pair) for number, pair in enumerate(pairs[:TOOL_COUNT])]


def called_tool() -> ToolSpec:
    return tool_specs()[0]


def call_body(**extra: object) -> str:
    tool = called_tool()
    return _message("tools/call", {"name": tool.name, "arguments": tool.arguments, **extra})


def list_body(**extra: object) -> str:
    return _message("tools/list", extra)


def event(
    body: str,
    *,
    key: str = A_KEY,
    path: str = RPC_PATH,
    headers: dict[str, str] | None = None,
    query: dict[str, str] | None = None,
) -> dict[str, Any]:
    """A request as API Gateway's HTTP API hands it to a function (payload format 2.0)."""
    own_headers = {"authorization": f"Bearer {key}", "content-length": str(len(body))}
    asked = {"queryStringParameters": query} if query else {}
    return asked | {
        "version": "2.0",
        "routeKey": "$default",
        "rawPath": path,
        "rawQueryString": "&".join(f"{name}={value}" for name, value in (query or {}).items()),
        "headers": _HEADERS | own_headers | (headers or {}),
        "requestContext": _REQUEST_CONTEXT | {"http": _HTTP | {"path": path}},
        "body": body,
        "isBase64Encoded": False,
    }


def require(right: bool, answer: object) -> None:
    """A contender that answers wrongly would be measured failing fast."""
    if not right:
        raise AssertionError(f"unexpected answer: {str(answer)[:500]}")


def _spec(number: int, noun: str, verb: str) -> ToolSpec:
    # Three to seven optional parameters, so four to eight in all.
    chosen = [_OPTIONAL[(number + step) % len(_OPTIONAL)] for step in range(3 + (number + 2) % 5)]
    return ToolSpec(
        namespace=noun,
        verb=verb,
        description=(
            f"{verb.capitalize()} {noun} of the workspace this key belongs to, and return them as stored.\n\n"
            f"Look with {noun}_list first to avoid duplicates; use {noun}_update to change what is there. "
            "Fails with not_found for an id of another workspace, and with conflict when the state moved. "
            'Example: {"title": "Fix login timeout", "priority": "HIGH"}'
        ),
        parameters=(_TITLE, *chosen),
    )


def _message(method: str, params: dict[str, object]) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": 7, "method": method, "params": params})
