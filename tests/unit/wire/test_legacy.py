"""MCP 2024-11-05 to 2025-11-25: the handshake is offered and never required."""

from typing import Any

import pytest

from forge.testing.world import World
from forge.wire.protocol import META_SERVER
from tests.unit.wire.answers import body_of, failure_of, listed_names, result_of, rpc_error

LEGACY_VERSIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]


def a_message(**members: object) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": 1, "method": "ping"} | members


@pytest.mark.parametrize("version", LEGACY_VERSIONS)
def test_initialize_agrees_to_every_legacy_version(world: World, version: str) -> None:
    response = world.legacy("initialize", {"protocolVersion": version}, key=world.a_key())

    assert result_of(response)["protocolVersion"] == version


@pytest.mark.parametrize("wanted", ["2026-07-28", "1999-01-01", "", None, 20251125, [], {}, ["2025-06-18"]])
def test_initialize_offers_the_latest_legacy_version_for_any_other(world: World, wanted: object) -> None:
    response = world.legacy("initialize", {"protocolVersion": wanted}, key=world.a_key())

    assert result_of(response)["protocolVersion"] == "2025-11-25"


def test_initialize_introduces_the_server_and_opens_no_session(world: World) -> None:
    response = world.legacy("initialize", {"protocolVersion": "2025-06-18"}, key=world.a_key())

    result = result_of(response)
    assert result["serverInfo"]["name"] == "forge"
    assert result["serverInfo"]["version"]
    assert result["capabilities"] == {"tools": {}, "prompts": {}, "resources": {}, "completions": {}}
    assert 0 < len(result["instructions"]) <= 2000
    assert "mcp-session-id" not in response.headers


@pytest.mark.parametrize("headers", [{}] + [{"mcp-protocol-version": version} for version in LEGACY_VERSIONS])
def test_tools_are_listed_and_called_without_a_handshake(
    key: str, world: World, headers: dict[str, str]
) -> None:
    listed = world.legacy("tools/list", key=key, headers=headers)
    called = world.legacy("tools/call", {"name": "workspace_get"}, key=key, headers=headers)

    assert "workspace_get" in listed_names(listed)
    assert result_of(called)["structuredContent"]["slug"] == "demo"


@pytest.mark.parametrize("headers", [{}, {"mcp-protocol-version": " 2025-06-18 "}])
def test_ping_is_answered_with_an_empty_result_whatever_stands_around_the_version(
    world: World, headers: dict[str, str]
) -> None:
    assert result_of(world.legacy("ping", key=world.a_key(), headers=headers)) == {}


def test_results_have_no_members_of_the_modern_era(key: str, world: World) -> None:
    results = [
        result_of(world.legacy("tools/list", key=key)),
        result_of(world.legacy("tools/call", {"name": "workspace_get"}, key=key)),
    ]

    for result in results:
        assert not {"resultType", "ttlMs", "cacheScope"} & result.keys()
        assert META_SERVER not in result.get("_meta", {})


@pytest.mark.parametrize("arguments", [None, {}, "", "{}", " { } "])
def test_absent_arguments_and_arguments_in_json_text_are_understood(world: World, arguments: object) -> None:
    response = world.legacy(
        "tools/call", {"name": "workspace_get", "arguments": arguments}, key=world.a_key()
    )

    assert result_of(response)["isError"] is False


@pytest.mark.parametrize("arguments", [[], [1], 7, True, "[]", "text", '"{}"', "{"])
def test_arguments_that_are_no_object_are_a_failure_of_the_call(world: World, arguments: object) -> None:
    response = world.legacy(
        "tools/call", {"name": "workspace_get", "arguments": arguments}, key=world.a_key()
    )

    assert failure_of(response)["error"] == "invalid_input"


@pytest.mark.parametrize(
    ("method", "params", "code"),
    [
        ("no/such/method", {}, -32601),
        ("server/discover", {}, -32601),
        ("logging/setLevel", {}, -32601),
        ("tools/call", {}, -32602),
        ("tools/call", {"name": 5}, -32602),
        ("tools/call", {"name": "no.such.tool"}, -32602),
    ],
)
def test_protocol_errors_travel_in_http_200(
    world: World, method: str, params: dict[str, Any], code: int
) -> None:
    response = world.legacy(method, params, key=world.a_key())

    assert response.status == 200
    assert rpc_error(response)["code"] == code
    assert body_of(response)["id"] == 1


def test_an_unknown_tool_comes_with_a_suggestion(world: World) -> None:
    response = world.legacy("tools/call", {"name": "workspaces.get"}, key=world.a_key())

    assert "workspace_get" in rpc_error(response)["data"]["didYouMean"]


@pytest.mark.parametrize("params", [[], [1], "params", 7, True])
def test_params_that_are_no_object_are_refused(world: World, params: object) -> None:
    response = world.send(a_message(params=params), key=world.a_key())

    assert response.status == 200
    assert rpc_error(response)["code"] == -32602


@pytest.mark.parametrize(
    "message",
    [
        {"id": 1, "method": "ping"},
        a_message(jsonrpc="1.0"),
        a_message(jsonrpc=2.0),
        a_message(method=None),
        a_message(method=7),
        {"jsonrpc": "2.0", "id": 1},
        {},
        None,
        1,
        True,
    ],
)
def test_what_is_no_json_rpc_message_is_a_bad_request(world: World, message: object) -> None:
    response = world.send(message, key=world.a_key())

    assert response.status == 400
    assert rpc_error(response)["code"] == -32600


@pytest.mark.parametrize("bad_id", [None, True, [], {}, [1]])
def test_an_id_that_is_neither_text_nor_number_is_refused(world: World, bad_id: object) -> None:
    response = world.send(a_message(id=bad_id), key=world.a_key())

    assert response.status == 400
    assert rpc_error(response)["code"] == -32600
    assert body_of(response)["id"] is None


def test_a_malformed_message_is_answered_to_the_id_it_has(world: World) -> None:
    response = world.send(a_message(jsonrpc="1.0", id="mine"), key=world.a_key())

    assert body_of(response)["id"] == "mine"


@pytest.mark.parametrize("body", ["", " ", "{", "nul", b"\xff\xfe", b"\xef\xbb\xbf{", "{'a': 1}", "NaN"])
def test_what_is_no_json_is_a_parse_error(world: World, body: str | bytes) -> None:
    response = world.send(body, key=world.a_key())

    assert response.status == 400
    assert rpc_error(response)["code"] == -32700
    assert body_of(response)["id"] is None


@pytest.mark.parametrize("method", ["notifications/initialized", "notifications/anything", "tools/call"])
def test_a_notification_is_accepted_without_an_answer(world: World, method: str) -> None:
    response = world.send({"jsonrpc": "2.0", "method": method}, key=world.a_key())

    assert (response.status, response.body) == (202, "")


@pytest.mark.parametrize("answer", [{"result": {}}, {"error": {"code": -1, "message": "no"}}])
def test_a_response_of_the_client_is_accepted_without_an_answer(world: World, answer: dict[str, Any]) -> None:
    response = world.send({"jsonrpc": "2.0", "id": 1} | answer, key=world.a_key())

    assert (response.status, response.body) == (202, "")


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "OPTIONS", "HEAD"])
def test_there_is_no_stream_to_get_and_no_session_to_delete(world: World, method: str) -> None:
    response = world.send("", method=method, key=world.a_key())

    assert response.status == 405
    assert response.headers["allow"] == "POST"
    assert "error" in body_of(response)
