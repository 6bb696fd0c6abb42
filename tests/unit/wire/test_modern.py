"""MCP 2026-07-28: what a request must carry, and what every answer does."""

from base64 import b64encode
from typing import Any

import pytest

from forge.testing.world import World, modern_message
from forge.wire.protocol import APPS, META_CAPABILITIES, META_SERVER, META_VERSION, MODERN_VERSION, TASKS
from tests.unit.wire.answers import body_of, failure_of, listed_names, result_of, rpc_error

REMOVED_METHODS = [
    "initialize",
    "ping",
    "logging/setLevel",
    "resources/subscribe",
    "resources/unsubscribe",
]
CALL = {"name": "workspace_get", "arguments": {}}


def sentinel(text: str) -> str:
    return f"=?base64?{b64encode(text.encode()).decode()}?="


def listing_headers(**changed: str) -> dict[str, str]:
    return {"mcp-protocol-version": MODERN_VERSION, "mcp-method": "tools/list"} | changed


def test_discover_says_what_the_server_speaks(world: World) -> None:
    result = result_of(world.modern("server/discover", key=world.a_key()))

    assert result["supportedVersions"] == [MODERN_VERSION]
    extensions = result["capabilities"].pop("extensions")
    assert result["capabilities"] == {"tools": {}, "prompts": {}, "resources": {}, "completions": {}}
    apps = {"mimeTypes": ["text/html;profile=mcp-app"]}
    assert extensions == {"io.modelcontextprotocol/skills": {"directoryRead": True}, TASKS: {}, APPS: apps}
    assert 0 < len(result["instructions"]) <= 2000


def test_list_gives_portable_names_in_a_fixed_order(key: str, world: World) -> None:
    first = world.modern("tools/list", key=key)
    second = world.modern("tools/list", key=key)

    assert {"workspace_get", "catalog_search", "catalog_describe", "catalog_call"} <= set(listed_names(first))
    assert listed_names(first) == sorted(listed_names(first))
    assert first.body == second.body


@pytest.mark.parametrize("name", ["workspace.get", "workspace_get"])
def test_call_runs_the_tool_in_either_spelling(world: World, name: str) -> None:
    result = result_of(world.modern("tools/call", {"name": name}, key=world.a_key()))

    assert result["isError"] is False
    assert result["structuredContent"]["slug"] == "demo"


@pytest.mark.parametrize("method", ["server/discover", "tools/list"])
def test_what_clients_may_keep_says_for_how_long_and_for_whom(world: World, method: str) -> None:
    result = result_of(world.modern(method, key=world.a_key()))

    assert isinstance(result["ttlMs"], int)
    assert result["ttlMs"] >= 0
    assert result["cacheScope"] == "private"


@pytest.mark.parametrize(
    ("method", "params"), [("server/discover", {}), ("tools/list", {}), ("tools/call", CALL)]
)
def test_every_result_is_complete_and_names_the_server(
    world: World, method: str, params: dict[str, Any]
) -> None:
    result = result_of(world.modern(method, params, key=world.a_key()))

    assert result["resultType"] == "complete"
    assert result["_meta"][META_SERVER]["name"] == "forge"


def test_a_failed_tool_call_is_a_complete_result_too(world: World) -> None:
    response = world.modern("tools/call", {**CALL, "arguments": {"wrong": 1}}, key=world.a_key())

    assert failure_of(response)["error"] == "invalid_input"
    assert result_of(response)["resultType"] == "complete"
    assert META_SERVER in result_of(response)["_meta"]


@pytest.mark.parametrize(
    "meta", [None, [], "meta", 1, {META_VERSION: MODERN_VERSION}, {META_CAPABILITIES: {}}]
)
def test_a_request_without_metadata_or_its_version_or_capabilities_is_refused(
    world: World, meta: object
) -> None:
    message = modern_message("tools/list", {}) | {"params": {"_meta": meta}}

    response = world.send(message, key=world.a_key(), headers=listing_headers())

    assert response.status == 400
    assert rpc_error(response)["code"] == -32602
    assert body_of(response)["id"] == 1


def test_client_info_and_unknown_metadata_are_not_needed_and_not_minded(world: World) -> None:
    meta = {"progressToken": 7, "someclient/toolUseId": {"x": [1]}}

    response = world.modern("tools/call", {**CALL, "_meta": meta}, key=world.a_key())

    assert result_of(response)["isError"] is False


@pytest.mark.parametrize(
    ("header", "wrong"),
    [
        ("mcp-protocol-version", "2026-07-27"),
        ("mcp-method", "tools/list"),
        ("mcp-method", "Tools/Call"),
        ("mcp-name", "catalog_search"),
        ("mcp-name", "workspace.get"),
        ("mcp-name", sentinel("catalog_search")),
        ("mcp-name", sentinel("WORKSPACE_GET")),
        ("mcp-name", "=?base64?not base64?="),
        ("mcp-name", "=?base64?/w==?="),
        ("mcp-name", ""),
    ],
)
def test_a_header_that_contradicts_the_body_is_refused(world: World, header: str, wrong: str) -> None:
    response = world.modern("tools/call", CALL, key=world.a_key(), headers={header: wrong})

    assert response.status == 400
    assert rpc_error(response)["code"] == -32020
    assert body_of(response)["id"] == 1


@pytest.mark.parametrize("missing", ["mcp-protocol-version", "mcp-method", "mcp-name"])
def test_each_of_the_three_headers_is_required(world: World, missing: str) -> None:
    headers = {"mcp-protocol-version": MODERN_VERSION, "mcp-method": "tools/call", "mcp-name": CALL["name"]}
    sent = {name: str(value) for name, value in headers.items() if name != missing}

    response = world.send(modern_message("tools/call", CALL), key=world.a_key(), headers=sent)

    assert response.status == 400
    assert rpc_error(response)["code"] == -32020


def test_a_name_may_travel_as_base64(world: World) -> None:
    response = world.modern(
        "tools/call", CALL, key=world.a_key(), headers={"mcp-name": sentinel("workspace_get")}
    )

    assert result_of(response)["isError"] is False


@pytest.mark.parametrize("pad", [" {} ", "\t{}", "{}\t "])
def test_white_space_around_header_values_is_trimmed(world: World, pad: str) -> None:
    values = {"mcp-protocol-version": MODERN_VERSION, "mcp-method": "tools/call", "mcp-name": "workspace_get"}
    padded = {name: pad.format(value) for name, value in values.items()}

    response = world.modern("tools/call", CALL, key=world.a_key(), headers=padded)

    assert result_of(response)["isError"] is False


def test_an_unknown_version_is_told_which_are_supported(world: World) -> None:
    message = modern_message("tools/list", {"_meta": {META_VERSION: "2099-01-01"}})
    headers = listing_headers(**{"mcp-protocol-version": "2099-01-01"})

    response = world.send(message, key=world.a_key(), headers=headers)

    assert response.status == 400
    error = rpc_error(response)
    assert error["code"] == -32022
    assert error["data"] == {"supported": [MODERN_VERSION], "requested": "2099-01-01"}


def test_a_request_that_disagrees_with_itself_is_told_so_before_its_version_is_judged(world: World) -> None:
    message = modern_message("tools/list", {"_meta": {META_VERSION: "2099-01-01"}})

    response = world.send(message, key=world.a_key(), headers=listing_headers())

    assert rpc_error(response)["code"] == -32020


@pytest.mark.parametrize("method", [*REMOVED_METHODS, "no/such/method", ""])
def test_removed_and_unknown_methods_are_not_found(world: World, method: str) -> None:
    response = world.modern(method, key=world.a_key())

    assert response.status == 404
    assert rpc_error(response)["code"] == -32601
    assert body_of(response)["id"] == 1


def test_an_unknown_tool_is_a_bad_request_with_a_suggestion(world: World) -> None:
    response = world.modern("tools/call", {"name": "workspace_gett"}, key=world.a_key())

    assert response.status == 400
    error = rpc_error(response)
    assert error["code"] == -32602
    assert "workspace_get" in error["data"]["didYouMean"]


def test_a_batch_is_refused(world: World) -> None:
    response = world.send([modern_message("tools/list", {})], key=world.a_key(), headers=listing_headers())

    assert response.status == 400
    assert rpc_error(response)["code"] == -32600


@pytest.mark.parametrize("method", ["notifications/cancelled", "notifications/initialized", "tools/call"])
def test_a_notification_is_accepted_without_an_answer(world: World, method: str) -> None:
    message = modern_message(method, {})
    del message["id"]

    response = world.send(message, key=world.a_key(), headers=listing_headers())

    assert (response.status, response.body) == (202, "")


@pytest.mark.parametrize("message_id", [0, -1, 7, 1.5, "", "abc", "é\n", 10**30])
def test_the_answer_has_the_id_of_the_request(world: World, message_id: object) -> None:
    message = modern_message("tools/list", {}) | {"id": message_id}

    response = world.send(message, key=world.a_key(), headers=listing_headers())

    assert body_of(response)["id"] == message_id
