"""`POST /api/mcp/<tool>`: the tool's input in, its output out, errors with their own status."""

from collections.abc import Iterable

import pytest

from forge.auth.rates import LIMITS
from forge.context import Door
from forge.contract.terms import Scope
from forge.testing.world import World
from forge.wire.http import MAX_BODY_BYTES
from tests.unit.wire.answers import body_of

TOO_MUCH = " " * (MAX_BODY_BYTES + 1)


def a_spent_key(world: World, *, scopes: Iterable[Scope] = tuple(Scope)) -> str:
    """A key that has used up this minute's REST calls."""
    key = world.a_key(scopes=scopes)
    for _ in range(LIMITS[Door.REST]):
        world.rest("catalog.search", key=key)
    return key


@pytest.mark.parametrize("name", ["workspace.get", "workspace_get"])
def test_the_answer_is_the_output_itself_in_either_spelling(world: World, name: str) -> None:
    response = world.rest(name, {}, key=world.a_key())

    assert response.status == 200
    assert body_of(response)["slug"] == "demo"


@pytest.mark.parametrize("body", ["", b"", " ", "\r\n\t", "{}", b"{}"])
def test_an_empty_body_means_no_arguments(world: World, body: str | bytes) -> None:
    assert world.rest("workspace.get", body, key=world.a_key()).status == 200


@pytest.mark.parametrize(
    "body",
    [
        "{",
        "nul",
        "{'a': 1}",
        '{"a": 1} {"b": 2}',
        '{"a": NaN}',
        '{"a": 1e999}',
        r'{"a": "\ud800"}',
        "[" * 100_000,
        b"\xff",
        b"\x00",
        *("null", "[]", "[{}]", "1", '"{}"', "true"),
    ],
)
def test_a_body_that_is_no_json_object_is_refused(world: World, body: str | bytes) -> None:
    response = world.rest("workspace.get", body, key=world.a_key())

    assert response.status == 400
    assert body_of(response)["error"] == "invalid_input"


def test_bad_arguments_are_named(world: World) -> None:
    response = world.rest("catalog.search", {"qery": "x"}, key=world.a_key())

    assert response.status == 400
    assert body_of(response)["error"] == "invalid_input"
    assert body_of(response)["issues"].keys() == {"query", "qery"}


def test_an_unknown_tool_is_not_found_and_comes_with_a_suggestion(world: World) -> None:
    response = world.rest("workspace.gte", key=world.a_key())

    assert response.status == 404
    assert body_of(response)["error"] == "not_found"
    assert "workspace.get" in body_of(response)["details"]["didYouMean"]


@pytest.mark.parametrize(
    "name", ["", "/", "workspace.get/", "workspace.get/more", "WORKSPACE.GET", "../rpc", "é\n\x00"]
)
def test_a_name_that_no_tool_has_is_not_found(world: World, name: str) -> None:
    response = world.rest(name, key=world.a_key())

    assert response.status == 404
    assert body_of(response)["error"] == "not_found"


@pytest.mark.parametrize("method", ["GET", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"])
def test_a_tool_is_called_with_post_only(world: World, method: str) -> None:
    response = world.rest("workspace.get", method=method, key=world.a_key())

    assert response.status == 405
    assert response.headers["allow"] == "POST"
    assert body_of(response)["error"] == "not_found"


def test_getting_a_tool_that_does_not_exist_is_not_found(world: World) -> None:
    assert world.rest("no.such", method="GET", key=world.a_key()).status == 404


@pytest.mark.parametrize("body", [TOO_MUCH, TOO_MUCH.encode()])
def test_a_body_over_the_limit_is_too_large(world: World, body: str | bytes) -> None:
    response = world.rest("workspace.get", body, key=world.a_key())

    assert response.status == 413
    assert body_of(response)["error"] == "payload_too_large"


def test_a_body_at_the_limit_is_served(world: World) -> None:
    assert world.rest("workspace.get", " " * MAX_BODY_BYTES, key=world.a_key()).status == 200


def test_a_failed_rule_has_its_own_status_and_the_whole_error_object(probe_world: World) -> None:
    response = probe_world.rest("probe.refuse", key=probe_world.a_key())

    assert response.status == 409
    assert body_of(response).keys() == {"error", "message", "hint", "retryable", "requestId", "details"}


def test_the_key_is_checked_before_the_tool(world: World) -> None:
    response = world.rest("no.such", TOO_MUCH)

    assert response.status == 401


def test_the_rate_is_checked_before_the_tool(world: World) -> None:
    response = world.rest("no.such", "{", key=a_spent_key(world))

    assert response.status == 429


def test_the_tool_is_checked_before_the_scope(world: World) -> None:
    response = world.rest("no.such", "{", key=world.a_key(scopes=[]))

    assert response.status == 404


@pytest.mark.parametrize("body", ["{", '{"wrong": 1}', TOO_MUCH])
def test_the_scope_is_checked_before_the_input(world: World, body: str) -> None:
    response = world.rest("workspace.get", body, key=world.a_key(scopes=[]))

    assert response.status == 403
    assert body_of(response)["error"] == "scope_required"


def test_the_input_is_checked_before_who_may_act(probe_world: World) -> None:
    person = probe_world.a_key()

    wrong_input = probe_world.rest("probe.forAgents", {}, key=person)
    right_input = probe_world.rest("probe.forAgents", {"text": "hello"}, key=person)

    assert (wrong_input.status, right_input.status) == (400, 403)


def test_both_doors_answer_the_same(key: str, world: World) -> None:
    over_rest = body_of(world.rest("catalog.search", {"query": "workspace"}, key=key))
    canonical = {"names": "canonical"}
    over_rpc = world.call("catalog.search", {"query": "workspace"}, key=key, query=canonical)

    assert over_rest == over_rpc["structuredContent"]


def test_the_idempotency_key_comes_from_the_header(probe_world: World) -> None:
    response = probe_world.rest(
        "probe.echo", {"text": "a"}, key=probe_world.a_key(), headers={"idempotency-key": "once"}
    )

    assert body_of(response)["idempotencyKey"] == "once"


@pytest.mark.parametrize("header", ["", "x" * 201])
def test_an_idempotency_key_has_one_to_two_hundred_characters(probe_world: World, header: str) -> None:
    response = probe_world.rest(
        "probe.echo", {"text": "a"}, key=probe_world.a_key(), headers={"idempotency-key": header}
    )

    assert response.status == 400


@pytest.mark.parametrize("header", ["mcp-session-id", "x-forge-session"])
def test_a_session_is_named_by_header(probe_world: World, header: str) -> None:
    response = probe_world.rest(
        "probe.echo", {"text": "a"}, key=probe_world.a_key(), headers={header: " mine "}
    )

    assert body_of(response)["sessionId"] == "mine"


def test_the_idempotency_key_may_come_in_meta_and_wins_over_the_header(probe_world: World) -> None:
    body = {"text": "a", "_meta": {"forge/idempotencyKey": "own"}}

    response = probe_world.rest(
        "probe.echo", body, key=probe_world.a_key(), headers={"idempotency-key": "header"}
    )

    assert body_of(response)["idempotencyKey"] == "own"


@pytest.mark.parametrize("wrong", ["", "x" * 201, 5])
def test_an_idempotency_key_in_meta_is_checked_like_any(probe_world: World, wrong: object) -> None:
    response = probe_world.rest(
        "probe.echo", {"text": "a", "_meta": {"forge/idempotencyKey": wrong}}, key=probe_world.a_key()
    )

    assert (response.status, set(body_of(response)["issues"])) == (400, {"idempotencyKey"})
