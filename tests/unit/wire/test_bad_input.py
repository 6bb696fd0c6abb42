"""Whatever is sent, the answer is civil: never a failure of ours, always JSON or nothing."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge.testing.world import World
from forge.wire.protocol import MODERN_VERSION
from tests.unit.wire.answers import body_of
from tests.unit.wire.hostile import (
    ERA_HEADERS,
    METHODS,
    bounded,
    header_values,
    json_values,
    message_ids,
    messages,
    objects,
    objects_with,
    require_civil,
)

HUGE_INTEGER = "9" * 5000
DEEP_LIST = "[" * 500 + "]" * 500
DEEP_OBJECT = '{"a":' * 500 + "1" + "}" * 500
NASTY_VALUES = [
    "NaN",
    "Infinity",
    "-Infinity",
    "1e999",
    "-1e999",
    HUGE_INTEGER,
    f"-{HUGE_INTEGER}",
    "9" * 4300,
    "1e-999",
    DEEP_LIST,
    DEEP_OBJECT,
    "[" * 200_000,
    '{"a":' * 200_000,
    r'"\ud800"',
    r'"\uDFFF\uD800"',
    r'{"\ud800": 1}',
    r'"\u0000"',
    '"\x00"',
    "01",
    "+1",
    "1.",
    '"unfinished',
    "\ufeff1",
]


@pytest.fixture(scope="module")
def world() -> World:
    """Shared, because what holds for any input holds in any order; each example has its own key."""
    return World()


@pytest.mark.parametrize("headers", ERA_HEADERS)
@bounded(40)
@given(body=json_values)
def test_any_json_value_as_a_message(world: World, headers: dict[str, str], body: object) -> None:
    require_civil(world.send(json.dumps(body), key=world.a_key(), headers=headers))


@pytest.mark.parametrize("headers", ERA_HEADERS)
@bounded(40)
@given(body=st.binary(max_size=200) | st.text(max_size=200))
def test_any_bytes_and_any_text_as_a_message(
    world: World, headers: dict[str, str], body: str | bytes
) -> None:
    require_civil(world.send(body, key=world.a_key(), headers=headers))


@pytest.mark.parametrize("headers", ERA_HEADERS)
@bounded(50)
@given(
    members=objects_with("id", "method", "params", "result", "error"),
    method=st.sampled_from(METHODS) | st.text(max_size=10),
)
def test_any_members_in_a_message(
    world: World, headers: dict[str, str], members: dict[str, Any], method: str
) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": method} | members

    require_civil(world.send(message, key=world.a_key(), headers=headers))


@bounded(80)
@given(
    method=st.sampled_from(METHODS),
    params=objects_with("name", "arguments", "cursor", "capabilities", "clientInfo"),
)
def test_any_params_of_a_known_method(world: World, method: str, params: dict[str, Any]) -> None:
    key = world.a_key()

    responses = [world.modern(method, params, key=key), world.legacy(method, params, key=key)]

    for response in responses:
        require_civil(response)
        assert body_of(response)["id"] == 1


@bounded(40)
@given(meta=objects_with("forge/idempotencyKey", "progressToken") | json_values)
def test_any_metadata(world: World, meta: object) -> None:
    params = {"name": "workspace_get", "_meta": meta}

    require_civil(world.legacy("tools/call", params, key=world.a_key()))


@bounded(40)
@given(version=json_values, capabilities=json_values)
def test_any_modern_metadata(world: World, version: object, capabilities: object) -> None:
    meta = {
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientCapabilities": capabilities,
    }
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": meta}}
    headers = {"mcp-protocol-version": MODERN_VERSION, "mcp-method": "tools/list"}

    require_civil(world.send(message, key=world.a_key(), headers=headers))


@bounded(30)
@given(messages=st.lists(json_values | messages, max_size=22))
def test_any_batch(world: World, messages: list[object]) -> None:
    require_civil(world.send(json.dumps(messages), key=world.a_key()))


@bounded(120)
@given(
    name=st.sampled_from(
        [
            "authorization",
            "mcp-session-id",
            "x-forge-session",
            "mcp-protocol-version",
            "mcp-method",
            "mcp-name",
            "idempotency-key",
            "x-forge-profile",
            "x-forge-tools",
            "host",
            "origin",
        ]
    ),
    value=header_values,
)
def test_any_value_of_any_header(world: World, name: str, value: str) -> None:
    key, headers = world.a_key(), {name: value}
    params = {"name": "workspace_get"}

    require_civil(world.modern("tools/call", params, key=key, headers=headers))
    require_civil(world.modern("tools/list", key=key, headers=headers))
    require_civil(world.legacy("tools/list", key=key, headers=headers))
    require_civil(world.rest("workspace.get", key=key, headers=headers))


@bounded(40)
@given(query=st.dictionaries(st.sampled_from(["profile", "tools", "names"]), st.text(max_size=40)))
def test_any_query(world: World, query: dict[str, str]) -> None:
    require_civil(world.modern("tools/list", key=world.a_key(), query=query))


@bounded(40)
@given(path=st.text(max_size=60), method=st.sampled_from(["GET", "POST", "DELETE", "HEAD", "x"]))
def test_any_path_and_method(world: World, path: str, method: str) -> None:
    key = world.a_key()

    require_civil(world.send("", path=f"/{path}", method=method, key=key))
    require_civil(world.rest(path, method=method, key=key))


@pytest.mark.parametrize("value", NASTY_VALUES, ids=lambda value: repr(value[:20]))
@pytest.mark.parametrize(
    "template",
    [
        "{}",
        "[{}]",
        '{{"jsonrpc":"2.0","id":{},"method":"ping"}}',
        '{{"jsonrpc":"2.0","id":1,"method":{}}}',
        '{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}}',
        '{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":{}}}}}',
        '{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"catalog_search","arguments":{}}}}}',
    ],
    ids=["body", "batch", "id", "method", "params", "tool", "arguments"],
)
def test_a_nasty_value_in_any_place(world: World, template: str, value: str) -> None:
    key = world.a_key()

    require_civil(world.send(template.format(value), key=key))
    require_civil(world.rest("catalog.search", f'{{"query": {value}}}', key=key))


@pytest.mark.parametrize("value", NASTY_VALUES, ids=lambda value: repr(value[:20]))
def test_a_nasty_value_in_arguments_that_are_json_text(world: World, value: str) -> None:
    key = world.a_key()
    query = f'{{"query": {value}}}'
    inner = json.dumps({"name": "catalog_search", "arguments": query})

    for arguments in (value, query, inner):
        result = world.call("catalog_call", arguments, key=key)

        assert result["structuredContent"].get("error") != "internal"


@pytest.mark.parametrize("depth", [65, 1000, 100_000])
@pytest.mark.parametrize("headers", ERA_HEADERS)
def test_deep_nesting_is_refused(world: World, headers: dict[str, str], depth: int) -> None:
    response = world.send("[" * depth + "]" * depth, key=world.a_key(), headers=headers)

    assert response.status == 400
    assert body_of(response)["error"]["code"] == -32700


@bounded(40)
@given(message_id=message_ids, rest=objects)
def test_a_message_with_a_readable_id_is_answered_to_it(
    world: World, message_id: str | float, rest: dict[str, Any]
) -> None:
    message = rest | {"jsonrpc": "2.0", "id": message_id, "method": "no/such/method"}
    headers = {"mcp-protocol-version": MODERN_VERSION}
    key = world.a_key()

    legacy = world.send(json.dumps(message), key=key)
    modern = world.send(json.dumps(message), key=key, headers=headers)

    assert body_of(legacy)["id"] == body_of(modern)["id"] == message_id
