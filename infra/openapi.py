"""The OpenAPI document: one path per tool, with the full schemas that REST callers are held to."""

from collections.abc import Iterable, Mapping
from typing import Any, get_args

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from forge import __version__
from forge.contract import terms
from forge.contract.tools import AnyTool, Namespace
from forge.errors import WIRE, ErrorCode
from forge.wire.paths import EXPORT_PATH, STREAM_PATH
from forge.wire.web import OPENAPI_FILE as OPENAPI_FILE
from forge.work.record.links import HOOK_PATH

_REF = "#/components/schemas/{model}"
_SLIMMED = "_with_fields"
_ONLY_WHAT_WAS_ASKED_FOR = (
    "Without `fields` in the request, all of these are there but those that have nothing to say; with it, "
    "only the fields that it names, and `id`."
)
_PREFIX = {terms.Surface.MCP: "/api/mcp/", terms.Surface.ADMIN: "/api/admin/"}

Schema = dict[str, Any]

_TEXT: Schema = {"type": "string"}


def openapi_document(namespaces: Iterable[Namespace]) -> Schema:
    ordered = sorted(namespaces, key=lambda one: one.name)
    tools = [tool for namespace in ordered for tool in sorted(namespace.tools.values(), key=str)]
    refs, components = _schemas(tools)
    for tool in tools:
        if "fields" in tool.input.model_fields:
            _slim_rows(tool, refs, components)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Forge",
            "version": __version__,
            "description": "Every tool as plain HTTP. MCP clients use POST /api/mcp/rpc instead.",
        },
        "security": [{"key": []}],
        "tags": [{"name": one.name, "description": one.summary} for one in ordered],
        "paths": {f"{_PREFIX[tool.surface]}{tool.name}": {"post": _operation(tool, refs)} for tool in tools}
        | {STREAM_PATH: {"get": _stream()}, f"{HOOK_PATH}{{mappingId}}": {"post": _hook()}},
        "components": {
            "schemas": components,
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer", "bearerFormat": "forge_sk_…"}},
        },
    }


def _stream() -> Schema:
    return {
        "operationId": "events_stream",
        "tags": ["events"],
        "summary": "Follow what happens, as server-sent events.",
        "description": (
            "Tells what came since the last event, or waits up to 20 s for something to come; then it ends, "
            "and `retry` says when to ask again, as EventSource clients do by themselves. At most five "
            "followers for each key.\n\nScopes: SUBSCRIBE_EVENTS."
        ),
        "parameters": [
            _parameter("subject", "query", "Only about this: a type, or `type:id` such as `issue:DEMO-1`."),
            _parameter("since", "query", "Where to begin without a last event: a time; else it is now."),
            _parameter("Last-Event-ID", "header", "The id of the last event, or of the last answer."),
        ],
        "responses": {
            "200": {
                "description": "Events: `id`, `event` with the kind, `data` with the event as JSON.",
                "content": {"text/event-stream": {"schema": _TEXT}},
            },
            "default": _failure("Any failure."),
        },
    }


def _hook() -> Schema:
    anything = _json({"type": "object"})
    told = (
        ("mappingId", "path", "The id of the repository, as repositories.register shows it."),
        ("X-Hub-Signature-256", "header", "`sha256=` and the HMAC of the body, in hexadecimal."),
        ("X-GitHub-Event", "header", "What kind of message it is."),
        ("X-GitHub-Delivery", "header", "Which one it is."),
    )
    return {
        "operationId": "github_webhook",
        "tags": ["github"],
        "summary": "Told by GitHub what happens there.",
        "description": (
            "For a webhook of a connected repository, with the content type application/json. Needs no key: "
            "its signature is checked. The same delivery has its effect once."
        ),
        "security": [],
        "parameters": [_parameter(name, place, about, required=True) for name, place, about in told],
        "requestBody": {"content": anything},
        "responses": {
            "200": {"description": "Taken.", "content": anything},
            "202": {"description": "Nothing follows from it.", "content": anything},
            "default": _failure("Any failure."),
        },
    }


def _parameter(name: str, place: str, about: str, **more: bool) -> Schema:
    return {"name": name, "in": place, "description": about, **more, "schema": _TEXT}


def _failure(about: str) -> Schema:
    return {"description": about, "content": _json({"$ref": _REF.format(model="Error")})}


def _schemas(tools: Iterable[AnyTool]) -> tuple[Mapping[Any, Schema], Schema]:
    wanted: list[Any] = []
    for tool in tools:
        wanted.append((tool.input, "validation"))
        wanted += [(model, "serialization") for model in _output_models(tool)]
    refs, definitions = models_json_schema(list(dict.fromkeys(wanted)), by_alias=True, ref_template=_REF)
    return refs, definitions.get("$defs", {}) | {"Error": _error_schema()}


def _slim_rows(tool: AnyTool, refs: Mapping[Any, Schema], components: Schema) -> None:
    """What the rows of a list have in any case is little, because a caller may ask for some fields alone."""
    for model in _output_models(tool):
        page = components[refs[model, "serialization"]["$ref"].rpartition("/")[2]]
        rows = page["properties"]["data"]["items"]
        row = rows["$ref"].rpartition("/")[2]
        if row.endswith(_SLIMMED):
            continue
        whole = components[row]
        always = [name for name in whole.get("required", ()) if name == "id"]
        about = f"{whole.get('description', '')} {_ONLY_WHAT_WAS_ASKED_FOR}".strip()
        components[f"{row}{_SLIMMED}"] = whole | {"required": always, "description": about}
        rows["$ref"] = _REF.format(model=f"{row}{_SLIMMED}")


def _output_models(tool: AnyTool) -> list[type[BaseModel]]:
    candidates = get_args(tool.output) or (tool.output,)
    return [one for one in candidates if isinstance(one, type) and issubclass(one, BaseModel)]


def _operation(tool: AnyTool, refs: Mapping[Any, Schema]) -> Schema:
    outputs = [refs[model, "serialization"] for model in _output_models(tool)]
    nothing = [{"type": "null"}] if type(None) in get_args(tool.output) else []
    kinds = [*outputs, *nothing]
    answer = {"anyOf": kinds} if len(kinds) > 1 else (outputs[0] if outputs else {"type": "object"})
    scopes = ", ".join(tool.scopes) or "none"
    return {
        "operationId": tool.portable_name,
        **({"deprecated": True} if tool.deprecated else {}),
        "tags": [tool.namespace],
        "summary": tool.description.split("\n\n", 1)[0],
        "description": f"{tool.description}\n\nScopes: {scopes}. Effect: {tool.effect}.",
        "requestBody": {"content": _json(refs[tool.input, "validation"])},
        "responses": {**_successes(tool, answer), **_error_responses()},
    }


def _successes(tool: AnyTool, answer: Schema) -> Schema:
    if f"{_PREFIX[tool.surface]}{tool.name}" != EXPORT_PATH:
        return {"200": {"description": "The tool's output.", "content": _json(answer)}}
    lines = {"application/x-ndjson": {"schema": _TEXT}}
    return {
        "200": {"description": "What was exported: a JSON object in each line.", "content": lines},
        "202": {"description": "It takes longer, or is too much for an answer.", "content": _json(answer)},
    }


def _error_responses() -> Schema:
    by_status: dict[int, list[str]] = {}
    for code, wire in WIRE.items():
        by_status.setdefault(wire.http_status, []).append(code.value)
    return {str(status): _failure(", ".join(codes)) for status, codes in sorted(by_status.items())}


def _error_schema() -> Schema:
    return {
        "type": "object",
        "required": ["error", "message", "retryable", "requestId"],
        "properties": {
            "error": {"type": "string", "enum": [code.value for code in ErrorCode]},
            "message": _TEXT,
            "issues": {"type": "object", "additionalProperties": _TEXT},
            "hint": _TEXT,
            "retryable": {"type": "boolean"},
            "requestId": _TEXT,
            "details": {"type": "object"},
        },
    }


def _json(schema: Schema) -> Schema:
    return {"application/json": {"schema": schema}}
