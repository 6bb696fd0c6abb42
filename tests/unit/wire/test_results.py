"""What a tool call answers: the same data twice, failures as objects, and no word about our own bugs."""

import json

import pytest

from forge.testing.world import World
from forge.wire.protocol import tool_success
from tests.unit.wire.answers import body_of, failure_of, result_of
from tests.unit.wire.probes import CRASH_MESSAGE


def test_text_and_structured_content_hold_the_same_data_and_the_text_is_compact(world: World) -> None:
    result = world.call("workspace_get", key=world.a_key())

    (block,) = result["content"]
    assert block["type"] == "text"
    assert json.loads(block["text"]) == result["structuredContent"]
    assert block["text"] == json.dumps(result["structuredContent"], separators=(",", ":"), ensure_ascii=False)


def test_an_answer_that_holds_a_file_is_sent_once() -> None:
    file = json.dumps({"base64": "x" * 100_000})

    result = json.loads(f"{{{tool_success(file)}}}")

    assert result == {"content": [{"type": "text", "text": file}], "isError": False}


@pytest.mark.parametrize(
    "said", ["é €", "😀", 'quote " and \\', "line\nbreak\ttab", "\u2028", "\x00", "</script>"]
)
def test_any_text_survives_the_way_through(probe_world: World, said: str) -> None:
    result = probe_world.call("probe_echo", {"text": said}, key=probe_world.a_key())

    assert result["structuredContent"]["text"] == said
    assert json.loads(result["content"][0]["text"])["text"] == said


def test_an_answer_of_nothing_is_null_and_an_object_in_structured_content(probe_world: World) -> None:
    result = probe_world.call("probe_current", key=probe_world.a_key())
    over_rest = probe_world.rest("probe.current", key=probe_world.a_key())

    assert result["content"] == [{"type": "text", "text": "null"}]
    assert result["structuredContent"] == {"value": None}
    assert result["isError"] is False
    assert (over_rest.status, over_rest.body) == (200, "null")


def test_a_failure_is_a_result_with_the_error_object(probe_world: World) -> None:
    result = probe_world.call("probe_refuse", key=probe_world.a_key())

    failure = result["structuredContent"]
    assert result["isError"] is True
    assert json.loads(result["content"][0]["text"]) == failure
    assert failure["error"] == "conflict"
    assert failure["details"] == {"version": 2}
    assert failure["retryable"] is False
    assert {"message", "hint", "requestId"} <= failure.keys()


def test_bad_arguments_are_a_failure_that_names_each_field(world: World) -> None:
    result = world.call("catalog_search", {"limit": 0, "nonsense": 1}, key=world.a_key())

    assert result["isError"] is True
    assert result["structuredContent"]["error"] == "invalid_input"
    assert result["structuredContent"]["issues"].keys() == {"query", "limit", "nonsense"}


def test_a_crash_tells_the_caller_only_the_request_id(probe_world: World) -> None:
    key = probe_world.a_key()
    over_rpc = probe_world.legacy("tools/call", {"name": "probe_crash"}, key=key)
    over_rest = probe_world.rest("probe.crash", key=key)

    assert over_rest.status == 500
    for failure in (failure_of(over_rpc), body_of(over_rest)):
        assert failure["error"] == "internal"
        assert failure["requestId"] in failure["hint"]
        assert failure.keys() <= {"error", "message", "hint", "retryable", "requestId"}


@pytest.mark.parametrize("send", ["modern", "legacy", "rest"])
def test_a_crash_never_leaks_its_message(probe_world: World, send: str) -> None:
    key = probe_world.a_key()

    if send == "rest":
        response = probe_world.rest("probe.crash", key=key)
    else:
        response = getattr(probe_world, send)("tools/call", {"name": "probe_crash"}, key=key)

    for secret in (CRASH_MESSAGE, "RuntimeError", "Traceback", ".py"):
        assert secret not in response.body


def test_a_crash_is_logged_with_its_traceback_and_request_id(probe_world: World) -> None:
    failure = probe_world.call("probe_crash", key=probe_world.a_key())["structuredContent"]

    crash, call = [json.loads(line) for line in probe_world.log]
    assert crash["level"] == call["level"] == "ERROR"
    assert crash["requestId"] == call["requestId"] == failure["requestId"]
    assert "Traceback" in crash["exception"]
    assert CRASH_MESSAGE in crash["exception"]
    assert call["outcome"] == "internal"


def test_a_workspace_that_is_gone_is_a_failure_of_the_call_not_of_the_server(world: World) -> None:
    elsewhere = World().add_workspace("elsewhere")

    response = world.legacy("tools/call", {"name": "workspace_get"}, key=world.a_key(workspace=elsewhere))

    assert failure_of(response)["error"] == "not_found"


def test_the_idempotency_key_comes_from_the_metadata_else_from_the_header(probe_world: World) -> None:
    key = probe_world.a_key()
    params = {"name": "probe_echo", "arguments": {"text": "a"}}
    headers = {"idempotency-key": "header"}

    from_header = probe_world.legacy("tools/call", params, key=key, headers=headers)
    from_meta = probe_world.legacy(
        "tools/call", {**params, "_meta": {"forge/idempotencyKey": "meta"}}, key=key, headers=headers
    )

    assert result_of(from_header)["structuredContent"]["idempotencyKey"] == "header"
    assert result_of(from_meta)["structuredContent"]["idempotencyKey"] == "meta"
