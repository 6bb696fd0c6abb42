"""Fixture tools: every kind of content, progress, logging, a schema with all the trimmings."""

from collections.abc import Mapping
from typing import Any

from forge.testing.conformance.content import AUDIO, IMAGE, embedded, text, tool_result
from forge.testing.conformance.fixtures import Answer, FixtureTool, Result, always, member, require_capability
from forge.wire.protocol import META_PREFIX, Params

_META_LOG_LEVEL = META_PREFIX + "logLevel"
_LEVELS_THAT_SHOW_INFO = frozenset({"debug", "info"})

_RICH_SCHEMA: Mapping[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}


def _with_progress(params: Params) -> Answer:
    token = member(params, "_meta").get("progressToken")
    reports = [
        _notification("progress", {"progressToken": token, "progress": progress, "total": 100})
        for progress in (0, 50, 100)
        if token is not None
    ]
    return Answer(tool_result(text("The tool reported its progress.")), tuple(reports))


def _with_logging(params: Params) -> Answer:
    lines = ("Tool execution started", "Tool processing data", "Tool execution completed")
    messages = (
        _notification("message", {"level": "info", "logger": "conformance", "data": line}) for line in lines
    )
    return Answer(tool_result(text("The tool logged what it did.")), tuple(messages))


def _with_logging_if_asked(params: Params) -> Answer:
    level = member(params, "_meta").get(_META_LOG_LEVEL)
    answer = _with_logging(params)
    return answer if level in _LEVELS_THAT_SHOW_INFO else Answer(answer.result)


def _missing_capability(params: Params) -> Answer:
    require_capability(params, "sampling")
    return Answer(tool_result(text("The client declared the capability sampling.")))


def _notification(name: str, params: Mapping[str, Any]) -> Result:
    return {"jsonrpc": "2.0", "method": f"notifications/{name}", "params": params}


_SIMPLE_TEXT = text("This is a simple text response for testing.")
_RESOURCE = embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")
_MIXED_RESOURCE = embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}')

TOOLS = (
    FixtureTool("test_simple_text", "Returns text.", always(tool_result(_SIMPLE_TEXT))),
    FixtureTool("test_image_content", "Returns an image.", always(tool_result(IMAGE))),
    FixtureTool("test_audio_content", "Returns a sound.", always(tool_result(AUDIO))),
    FixtureTool("test_embedded_resource", "Returns a resource.", always(tool_result(_RESOURCE))),
    FixtureTool(
        "test_multiple_content_types",
        "Returns text, an image and a resource.",
        always(tool_result(text("Multiple content types test:"), IMAGE, _MIXED_RESOURCE)),
    ),
    FixtureTool(
        "test_error_handling",
        "Always fails.",
        always(tool_result(text("This tool intentionally returns an error for testing"), is_error=True)),
    ),
    FixtureTool("test_tool_with_progress", "Reports progress three times.", _with_progress),
    FixtureTool(
        "json_schema_2020_12_tool",
        "Has an input schema with keywords that are easily lost.",
        always(tool_result(text("The schema is all there is to this tool."))),
        _RICH_SCHEMA,
    ),
)
LEGACY_TOOLS = (
    *TOOLS,
    FixtureTool("test_tool_with_logging", "Logs three messages.", _with_logging),
)
MODERN_TOOLS = (
    *TOOLS,
    FixtureTool("test_logging_tool", "Logs three messages when asked to log.", _with_logging_if_asked),
    FixtureTool("test_missing_capability", "Needs the capability sampling.", _missing_capability),
)
