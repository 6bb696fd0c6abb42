"""The modern era's own checks: metadata in every request, mirrored in its headers."""

from collections.abc import Mapping

from forge.wire.protocol import (
    APPS,
    HEADER_MISMATCH,
    INVALID_PARAMS,
    LEGACY_VERSIONS,
    META_CAPABILITIES,
    META_VERSION,
    MODERN_VERSION,
    TASKS,
    TASKS_GET,
    UNSUPPORTED_VERSION,
    Params,
    ProtocolError,
)

_NAMED_BY = {
    "tools/call": "name",
    "prompts/get": "name",
    "resources/read": "uri",
    TASKS_GET: "taskId",
    "tasks/update": "taskId",
    "tasks/cancel": "taskId",
}
_SENTINEL_START, _SENTINEL_END = "=?base64?", "?="


def is_modern(headers: Mapping[str, str], raw: object) -> bool:
    """An unknown version counts as modern, because only that era has an error for it."""
    version = headers.get("mcp-protocol-version")
    if version is not None:
        return version not in LEGACY_VERSIONS and version.strip() not in LEGACY_VERSIONS
    params = raw.get("params") if isinstance(raw, dict) else None
    meta = params.get("_meta") if isinstance(params, dict) else None
    return isinstance(meta, dict) and META_VERSION in meta


def check(headers: Mapping[str, str], method: str, params: Params) -> None:
    """Metadata present, headers equal to the body, version known: in this order."""
    meta = params.get("_meta")
    if not isinstance(meta, dict):
        raise ProtocolError(INVALID_PARAMS, "params._meta is required in every request.")
    version = meta.get(META_VERSION)
    if not isinstance(version, str):
        raise ProtocolError(INVALID_PARAMS, f"params._meta must have {META_VERSION}.")
    if not isinstance(meta.get(META_CAPABILITIES), dict):
        raise ProtocolError(INVALID_PARAMS, f"params._meta must have {META_CAPABILITIES}, an object.")
    if headers.get("mcp-protocol-version") != version:
        _require_alike(headers, "MCP-Protocol-Version", version)
    if headers.get("mcp-method") != method:
        _require_alike(headers, "Mcp-Method", method)
    name_field = _NAMED_BY.get(method)
    if name_field is not None and headers.get("mcp-name") != params.get(name_field):
        _require_alike(headers, "Mcp-Name", params.get(name_field))
    if version != MODERN_VERSION:
        raise ProtocolError(
            UNSUPPORTED_VERSION,
            f"Protocol version {version[:40]!r} is not supported.",
            {"supported": [MODERN_VERSION], "requested": version},
        )


def asks_for(method: str, raw: object) -> bool:
    return isinstance(raw, dict) and raw.get("method") == method and "id" in raw


def takes_tasks(params: Params) -> bool:
    """Whether the client of a message that was checked can come back for an answer."""
    return _declares(TASKS, params)


def shows_apps(params: Params) -> bool:
    """The same of its host, and apps."""
    return _declares(APPS, params)


def _declares(extension: str, params: Params) -> bool:
    extensions = params["_meta"][META_CAPABILITIES].get("extensions")
    return isinstance(extensions, dict) and extension in extensions


def _require_alike(headers: Mapping[str, str], name: str, expected: object) -> None:
    """A header that is not equal may still say the same, with white space around it or encoded."""
    given = headers.get(name.lower())
    if given is None:
        raise ProtocolError(HEADER_MISMATCH, f"The header {name} is missing.")
    if as_sent(given) != expected and given.strip() != expected:
        raise ProtocolError(HEADER_MISMATCH, f"The header {name} does not match the body.")


def as_sent(value: str) -> str | None:
    """What a header says; what it can't carry travels as `=?base64?…?=`. None where that is broken."""
    value = value.strip()
    if not (value.startswith(_SENTINEL_START) and value.endswith(_SENTINEL_END)):
        return value
    from base64 import b64decode  # rare, and the router starts without it

    try:
        encoded = value[len(_SENTINEL_START) : -len(_SENTINEL_END)]
        return b64decode(encoded, validate=True).decode()
    except ValueError:
        return None
