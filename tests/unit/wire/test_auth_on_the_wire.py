"""Refusals of the key and of the rate, in the words of each door."""

import pytest

from forge.auth.keys import hash_of
from forge.auth.rates import LIMITS
from forge.context import Door
from forge.testing.world import World
from forge.wire.http import MAX_BODY_BYTES
from tests.unit.wire.answers import body_of, rpc_error

WELL_FORMED_BUT_UNKNOWN = "forge_sk_" + "A" * 43
BAD_CREDENTIALS = [f"Bearer {WELL_FORMED_BUT_UNKNOWN}", "Bearer é", "Bearer a.b.c", " "]


def spend(world: World, key: str, door: Door) -> None:
    for _ in range(LIMITS[door]):
        if door is Door.RPC:
            world.legacy("ping", key=key)
        else:
            world.rest("catalog.search", key=key)


@pytest.mark.parametrize("authorization", BAD_CREDENTIALS)
def test_a_bad_key_is_401_in_the_words_of_the_door_and_challenged(world: World, authorization: str) -> None:
    headers = {"authorization": authorization}

    rpc, rest = world.modern("tools/list", headers=headers), world.rest("workspace.get", headers=headers)

    assert (rpc.status, rest.status) == (401, 401)
    assert body_of(rpc)["id"] is None
    assert (rpc_error(rpc)["code"], rpc_error(rpc)["data"]["error"]) == (-32001, "unauthorized")
    assert body_of(rest)["error"] == "unauthorized"
    for challenge in (rpc.headers["www-authenticate"], rest.headers["www-authenticate"]):
        assert challenge.startswith("Bearer ")
        assert 'error="invalid_token"' in challenge
        assert "resource_metadata" not in challenge
        challenge.encode("latin-1")


@pytest.mark.parametrize("headers", [{}, {"authorization": ""}])
def test_the_challenge_says_no_error_when_no_key_was_sent(world: World, headers: dict[str, str]) -> None:
    for response in (world.legacy("ping", headers=headers), world.rest("workspace.get", headers=headers)):
        challenge = response.headers["www-authenticate"]
        assert response.status == 401
        assert challenge.startswith("Bearer ")
        assert "error" not in challenge
        assert "resource_metadata" not in challenge


def test_a_refusal_never_repeats_the_key(world: World) -> None:
    response = world.rest("workspace.get", key=WELL_FORMED_BUT_UNKNOWN)

    assert WELL_FORMED_BUT_UNKNOWN not in response.body + str(response.headers) + "".join(world.log)


def test_a_token_stands_for_its_key_on_both_doors_and_falls_with_it(key: str, world: World) -> None:
    token, _ = world.tokens.mint(
        subject="key", workspace_id=world.workspace.id, key_hash=hash_of(key), now=world.clock()
    )

    before = [world.legacy("ping", key=token).status, world.rest("workspace.get", key=token).status]
    world.revoke(key)
    after = [world.legacy("ping", key=token).status, world.rest("workspace.get", key=token).status]

    assert before == [200, 200]
    assert after == [401, 401]


def test_too_many_calls_on_rpc_are_429_with_a_json_rpc_error(key: str, world: World) -> None:
    spend(world, key, Door.RPC)

    response = world.legacy("ping", key=key)

    assert response.status == 429
    assert rpc_error(response)["code"] == -32003
    assert rpc_error(response)["data"]["retryable"] is True
    assert 1 <= int(response.headers["retry-after"]) <= 60


def test_too_many_calls_elsewhere_are_429_with_the_error_object(key: str, world: World) -> None:
    spend(world, key, Door.REST)

    response = world.rest("workspace.get", key=key)

    assert response.status == 429
    assert body_of(response)["error"] == "rate_limited"
    assert 1 <= int(response.headers["retry-after"]) <= 60


def test_waiting_as_long_as_was_told_is_enough(key: str, world: World) -> None:
    world.clock.advance(seconds=17.5)
    spend(world, key, Door.RPC)
    refused = world.legacy("ping", key=key)

    world.clock.advance(seconds=int(refused.headers["retry-after"]))

    assert world.legacy("ping", key=key).status == 200


def test_a_request_that_can_not_be_read_still_counts(key: str, world: World) -> None:
    for _ in range(LIMITS[Door.RPC]):
        world.send("{", key=key)

    assert world.legacy("ping", key=key).status == 429


def test_a_body_over_the_limit_on_rpc_is_413_with_a_json_rpc_error(world: World) -> None:
    response = world.send(" " * (MAX_BODY_BYTES + 1), key=world.a_key())

    assert response.status == 413
    assert rpc_error(response)["code"] == -32600


def test_the_key_is_checked_before_the_size(world: World) -> None:
    assert world.send(" " * (MAX_BODY_BYTES + 1)).status == 401


@pytest.mark.parametrize("session", ["", "x" * 129, "a b", "é", "a\nb"])
def test_a_session_that_is_no_short_plain_text_is_refused(world: World, session: str) -> None:
    response = world.legacy("ping", key=world.a_key(), headers={"mcp-session-id": session})

    assert response.status == 400
    assert rpc_error(response)["code"] == -32602
