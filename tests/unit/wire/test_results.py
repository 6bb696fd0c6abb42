"""What a tool call answers: the same data twice, failures as objects, and no word about our own bugs."""

import json

import pytest

from forge.context import KeyKind
from forge.testing.world import World
from forge.wire.methods import tool_success
from tests.unit.wire.answers import body_of, failure_of, result_of
from tests.unit.wire.probes import CRASH_MESSAGE, a_probe_world


def test_text_and_structured_content_hold_the_same_data() -> None:
    world = World()

    result = world.call("workspace_get", key=world.a_key())

    (block,) = result["content"]
    assert block["type"] == "text"
    assert json.loads(block["text"]) == result["structuredContent"]


def test_an_answer_that_holds_a_file_is_sent_once() -> None:
    file = json.dumps({"base64": "x" * 100_000})

    result = json.loads(f"{{{tool_success(file)}}}")

    assert result == {"content": [{"type": "text", "text": file}], "isError": False}


def test_the_text_is_compact() -> None:
    world = World()

    result = world.call("workspace_get", key=world.a_key())

    text = result["content"][0]["text"]
    assert text == json.dumps(json.loads(text), separators=(",", ":"), ensure_ascii=False)


@pytest.mark.parametrize(
    "said", ["é €", "😀", 'quote " and \\', "line\nbreak\ttab", "\u2028", "\x00", "</script>"]
)
def test_any_text_survives_the_way_through(said: str) -> None:
    world = a_probe_world()

    result = world.call("probe_echo", {"text": said}, key=world.a_key())

    assert result["structuredContent"]["text"] == said
    assert json.loads(result["content"][0]["text"])["text"] == said


def test_an_answer_of_nothing_is_null_in_text_and_an_object_in_structured_content() -> None:
    world = a_probe_world()

    result = world.call("probe_current", key=world.a_key())

    assert result["content"] == [{"type": "text", "text": "null"}]
    assert result["structuredContent"] == {"value": None}
    assert result["isError"] is False


def test_an_answer_of_nothing_is_null_over_rest() -> None:
    world = a_probe_world()

    response = world.rest("probe.current", key=world.a_key())

    assert (response.status, response.body) == (200, "null")


def test_a_failure_is_a_result_with_the_error_object() -> None:
    world = a_probe_world()

    result = world.call("probe_refuse", key=world.a_key())

    failure = result["structuredContent"]
    assert result["isError"] is True
    assert json.loads(result["content"][0]["text"]) == failure
    assert failure["error"] == "conflict"
    assert failure["details"] == {"version": 2}
    assert failure["retryable"] is False
    assert {"message", "hint", "requestId"} <= failure.keys()


def test_bad_arguments_are_a_failure_that_names_each_field() -> None:
    world = World()

    result = world.call("catalog_search", {"limit": 0, "nonsense": 1}, key=world.a_key())

    assert result["isError"] is True
    assert result["structuredContent"]["error"] == "invalid_input"
    assert result["structuredContent"]["issues"].keys() == {"query", "limit", "nonsense"}


def test_a_missing_scope_is_a_failure_that_names_the_scope() -> None:
    world = World()

    result = world.call("workspace_get", key=world.a_key(scopes=[]))

    assert result["structuredContent"]["error"] == "scope_required"
    assert result["structuredContent"]["details"] == {"scope": "READ_ISSUES"}


def test_a_tool_for_agents_refuses_people_and_the_other_way_round() -> None:
    world = a_probe_world()
    person = world.a_key()
    agent = world.a_key(kind=KeyKind.AGENT, linked_agent_id="agt_1")

    refused = [
        world.call("probe_forAgents", {"text": "hello"}, key=person),
        world.call("probe_forPeople", key=agent),
    ]
    served = [
        world.call("probe_forAgents", {"text": "hello"}, key=agent),
        world.call("probe_forPeople", key=person),
    ]

    assert [result["structuredContent"].get("error") for result in refused] == ["forbidden", "forbidden"]
    assert [result["isError"] for result in served] == [False, False]


def test_a_crash_tells_the_caller_only_the_request_id() -> None:
    world = a_probe_world()

    response = world.legacy("tools/call", {"name": "probe_crash"}, key=world.a_key())

    failure = failure_of(response)
    assert failure["error"] == "internal"
    assert failure["requestId"] in failure["hint"]
    assert failure.keys() <= {"error", "message", "hint", "retryable", "requestId"}


@pytest.mark.parametrize("send", ["modern", "legacy", "rest"])
def test_a_crash_never_leaks_its_message(send: str) -> None:
    world = a_probe_world()
    key = world.a_key()

    if send == "rest":
        response = world.rest("probe.crash", key=key)
    else:
        response = getattr(world, send)("tools/call", {"name": "probe_crash"}, key=key)

    for secret in (CRASH_MESSAGE, "RuntimeError", "Traceback", ".py"):
        assert secret not in response.body


def test_a_crash_over_rest_is_a_500_with_the_error_object() -> None:
    world = a_probe_world()

    response = world.rest("probe.crash", key=world.a_key())

    assert response.status == 500
    assert body_of(response)["error"] == "internal"
    assert body_of(response)["requestId"]


def test_a_crash_is_logged_with_its_traceback_and_request_id() -> None:
    world = a_probe_world()

    failure = world.call("probe_crash", key=world.a_key())["structuredContent"]

    crash, call = [json.loads(line) for line in world.log]
    assert crash["level"] == call["level"] == "ERROR"
    assert crash["requestId"] == call["requestId"] == failure["requestId"]
    assert "Traceback" in crash["exception"]
    assert CRASH_MESSAGE in crash["exception"]
    assert call["outcome"] == "internal"


def test_a_tool_called_through_the_catalog_answers_as_itself() -> None:
    world = World()
    key = world.a_key()

    direct = world.call("workspace_get", key=key)
    through = world.call("catalog_call", {"name": "workspace.get", "arguments": {}}, key=key)

    assert through["structuredContent"] == direct["structuredContent"]


@pytest.mark.parametrize(
    ("name", "code"),
    [("workspace.get", "scope_required"), ("no.such", "not_found"), ("catalog_call", "invalid_input")],
)
def test_a_call_through_the_catalog_passes_the_same_checks(name: str, code: str) -> None:
    world = World()

    result = world.call("catalog_call", {"name": name}, key=world.a_key(scopes=[]))

    assert result["structuredContent"]["error"] == code


def test_a_workspace_that_is_gone_is_a_failure_of_the_call_not_of_the_server() -> None:
    world = World()
    elsewhere = World().add_workspace("elsewhere")

    response = world.legacy("tools/call", {"name": "workspace_get"}, key=world.a_key(workspace=elsewhere))

    assert failure_of(response)["error"] == "not_found"


@pytest.mark.parametrize("idempotency_key", ["", "x" * 201, 5, [], {"a": 1}])
def test_an_idempotency_key_that_is_no_short_text_is_a_bad_argument(idempotency_key: object) -> None:
    world = a_probe_world()
    params = {
        "name": "probe_echo",
        "arguments": {"text": "a"},
        "_meta": {"forge/idempotencyKey": idempotency_key},
    }

    response = world.legacy("tools/call", params, key=world.a_key())

    assert failure_of(response)["error"] == "invalid_input"


def test_the_idempotency_key_comes_from_the_metadata_else_from_the_header() -> None:
    world = a_probe_world()
    key = world.a_key()
    params = {"name": "probe_echo", "arguments": {"text": "a"}}
    headers = {"idempotency-key": "header"}

    from_header = world.legacy("tools/call", params, key=key, headers=headers)
    from_meta = world.legacy(
        "tools/call", {**params, "_meta": {"forge/idempotencyKey": "meta"}}, key=key, headers=headers
    )

    assert result_of(from_header)["structuredContent"]["idempotencyKey"] == "header"
    assert result_of(from_meta)["structuredContent"]["idempotencyKey"] == "meta"
