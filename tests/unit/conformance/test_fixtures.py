import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from forge.testing.world import World
from forge.wire.http import Response
from forge.wire.protocol import INVALID_PARAMS, META_CAPABILITIES, MISSING_CAPABILITY
from forge.wire.settings import Settings

ERAS = ("modern", "legacy")
STATE_TOOL = "test_input_required_result_request_state"
MULTI_ROUND_TOOL = "test_input_required_result_multi_round"
CAPABLE: dict[str, Any] = {META_CAPABILITIES: {"elicitation": {}, "sampling": {}, "roots": {}}}


def a_world(*, with_fixtures: bool) -> World:
    environment = {"FORGE_CONFORMANCE_FIXTURES": "1"} if with_fixtures else {}
    return World(options=Settings.read(environment).options())


def a_sender(world: World, era: str = "modern") -> Callable[..., Response]:
    key = world.a_key()
    send = world.modern if era == "modern" else world.legacy
    return lambda method, params=None, **how: send(method, params, key=key, **how)


def parsed(response: Response) -> dict[str, Any]:
    body: dict[str, Any] = json.loads(response.body)
    return body


def call(send: Callable[..., Response], tool: str, **params: object) -> dict[str, Any]:
    return parsed(send("tools/call", {"name": tool, "arguments": {}, "_meta": CAPABLE, **params}))


def accepted(content: Mapping[str, object]) -> dict[str, object]:
    return {"action": "accept", "content": content}


@pytest.mark.parametrize(("era", "hello"), [("modern", "server/discover"), ("legacy", "initialize")])
def test_without_the_flag_there_are_only_the_products_own_tools(era: str, hello: str) -> None:
    send = a_sender(a_world(with_fixtures=False), era)

    tools = parsed(send("tools/list"))["result"]["tools"]
    prompts = parsed(send("prompts/list"))["result"]["prompts"]
    resources = parsed(send("resources/list"))["result"]["resources"]

    told = parsed(send(hello))["result"]["capabilities"]
    assert told.keys() - {"extensions"} == {"tools", "prompts", "resources", "completions"}
    assert not [tool["name"] for tool in tools if tool["name"].startswith(("test_", "json_schema_"))]
    assert not [prompt["name"] for prompt in prompts if prompt["name"].startswith("test_")]
    assert not [one["uri"] for one in resources if one["uri"].startswith("test://")]


@pytest.mark.parametrize("era", ERAS)
def test_with_the_flag_fixtures_stand_beside_the_products_own_tools(era: str) -> None:
    plain = parsed(a_sender(a_world(with_fixtures=False), era)("tools/list"))["result"]["tools"]
    send = a_sender(a_world(with_fixtures=True), era)

    tools = parsed(send("tools/list"))["result"]["tools"]
    prompts = parsed(send("prompts/list"))["result"]["prompts"]

    assert tools[: len(plain)] == plain
    assert "test_simple_text" in [tool["name"] for tool in tools]
    assert "test_simple_prompt" in [prompt["name"] for prompt in prompts]
    assert call(send, "workspace_get")["result"]["isError"] is False


@pytest.mark.parametrize("era", ERAS)
def test_progress_is_streamed_only_to_who_takes_a_stream(era: str) -> None:
    send = a_sender(a_world(with_fixtures=True), era)
    params = {"name": "test_tool_with_progress", "_meta": {"progressToken": "t"}}

    streamed = send("tools/call", params, headers={"accept": "application/json, text/event-stream"})
    plain = send("tools/call", params, headers={"accept": "application/json"})

    assert streamed.headers["content-type"] == "text/event-stream"
    assert streamed.body.count("notifications/progress") == 3
    assert "result" in parsed(plain)


def test_a_state_that_comes_back_as_given_is_taken() -> None:
    send = a_sender(a_world(with_fixtures=True))
    asked = call(send, STATE_TOOL)["result"]

    result = call(
        send,
        STATE_TOOL,
        requestState=asked["requestState"],
        inputResponses={"confirm": accepted({"ok": True})},
    )["result"]

    assert asked["resultType"] == "input_required"
    assert result["resultType"] == "complete"


def test_a_state_that_was_tampered_with_or_is_not_this_servers_and_tools_is_refused() -> None:
    send = a_sender(a_world(with_fixtures=True))
    state = call(send, STATE_TOOL)["result"]["requestState"]
    of_another_tool = call(send, MULTI_ROUND_TOOL)["result"]["requestState"]
    of_another_server = call(a_sender(a_world(with_fixtures=True)), STATE_TOOL)["result"]["requestState"]
    responses = {"confirm": accepted({"ok": True})}

    for wrong in (state + "-TAMPERED", state[1:], "", 7, of_another_tool, of_another_server):
        refused = call(send, STATE_TOOL, requestState=wrong, inputResponses=responses)
        assert refused["error"]["code"] == INVALID_PARAMS


def test_a_client_is_not_asked_what_it_did_not_declare() -> None:
    send = a_sender(a_world(with_fixtures=True))

    response = send(
        "tools/call", {"name": "test_missing_capability", "_meta": {META_CAPABILITIES: {"elicitation": {}}}}
    )

    error = parsed(response)["error"]
    assert (response.status, error["code"]) == (400, MISSING_CAPABILITY)
    assert error["data"] == {"requiredCapabilities": {"sampling": {}}}
