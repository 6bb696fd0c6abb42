"""Input that nobody would send on purpose, and what every answer to it must be."""

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from forge.wire.http import Response
from forge.wire.protocol import MODERN_VERSION
from tests.unit.wire.answers import strict_json

ERA_HEADERS: list[dict[str, str]] = [
    {},
    {"mcp-protocol-version": "2025-06-18"},
    {"mcp-protocol-version": MODERN_VERSION},
    {"mcp-protocol-version": "2099-01-01"},
]

METHODS = ["initialize", "ping", "tools/list", "tools/call", "server/discover", "notifications/initialized"]

scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=20)
    | st.sampled_from(["null", "{}", "[]", "2.0", "workspace_get", "\x00", "😀", "=?base64?", -0.0, 10**400])
)
json_values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=12,
)
objects = st.dictionaries(st.text(max_size=10), json_values, max_size=5)
message_ids = st.text(max_size=20) | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
messages = st.fixed_dictionaries(
    {"jsonrpc": st.just("2.0"), "id": message_ids, "method": st.sampled_from(METHODS), "params": objects}
)
header_values = st.text(st.characters(min_codepoint=0x20, max_codepoint=0xFF), max_size=60)


def bounded(examples: int) -> settings:
    """The same few examples in every run: a build must not fail by chance."""
    return settings(max_examples=examples, deadline=None, derandomize=True, database=None)


def objects_with(*names: str) -> st.SearchStrategy[dict[str, Any]]:
    """Objects that have some of the names that mean something, and some that do not."""
    meaningful = st.fixed_dictionaries({}, optional=dict.fromkeys(names, json_values))
    return st.builds(lambda known, unknown: unknown | known, meaningful, objects)


def require_civil(response: Response) -> None:
    """Never our own failure, and always JSON that any client can read, or nothing at all."""
    assert response.status < 500, response.body
    if response.body:
        strict_json(response.body)
        assert response.headers["content-type"] == "application/json"
    for name, value in response.headers.items():
        assert f"{name}: {value}".isprintable()
        value.encode("latin-1")
