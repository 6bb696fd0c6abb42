"""`/mcp`: the door for clients that sign in, which says where they do."""

import json

import pytest

from forge.testing.world import World
from forge.wire.edge import Options
from forge.wire.settings import SIGN_IN

AT = "https://forge.example"


@pytest.fixture
def open_world() -> World:
    return World(options=Options(oauth=SIGN_IN), public_url=AT)


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_without_a_token_every_method_is_told_where_to_sign_in(open_world: World, method: str) -> None:
    answer = open_world.send("{}", method=method, path="/mcp")

    assert answer.status == 401
    challenge = answer.headers["www-authenticate"]
    assert f'resource_metadata="{AT}/.well-known/oauth-protected-resource/mcp"' in challenge
    assert 'scope="READ_ISSUES WRITE_ISSUES' in challenge
    assert ("error=" in challenge) is False
    assert json.loads(answer.body)["error"]["code"] == -32001


def test_a_token_that_is_none_is_told_so(open_world: World) -> None:
    answer = open_world.send("{}", path="/mcp", key="forge_sk_" + "x" * 43)

    assert answer.status == 401
    assert 'error="invalid_token"' in answer.headers["www-authenticate"]


def test_it_is_the_same_door_for_who_has_a_key(open_world: World) -> None:
    key = open_world.a_key()

    here = open_world.modern("tools/list", key=key, path="/mcp")

    assert here.body == open_world.modern("tools/list", key=key).body
    assert open_world.send("", method="GET", path="/mcp", key=key).status == 405


def test_the_other_address_says_nothing_of_it(open_world: World) -> None:
    answer = open_world.send("{}")

    assert "resource_metadata" not in answer.headers["www-authenticate"]


@pytest.mark.parametrize(
    "path",
    [
        "/register",
        "/.well-known/oauth-protected-resource",
        "/.well-known/oauth-protected-resource/api/mcp/rpc",
        "/.well-known/oauth-authorization-server",
        "/.well-known/openid-configuration",
    ],
)
def test_at_the_root_there_is_nothing_but_a_sentence_for_who_has_a_key(open_world: World, path: str) -> None:
    answer = open_world.send("", method="GET", path=path)

    assert answer.status == 404
    assert "forge_sk_" in json.loads(answer.body)["hint"]


def test_where_it_is_turned_off_none_of_it_is_there() -> None:
    world = World(public_url=AT)

    for path in (
        "/mcp",
        "/oauth/sign-in",
        "/oauth/token",
        "/.well-known/oauth-protected-resource/mcp",
        "/.well-known/oauth-authorization-server/oauth",
    ):
        for method in ("GET", "POST"):
            assert world.send("", method=method, path=path).status == 404


def test_a_server_that_does_not_know_its_address_invents_none() -> None:
    world = World(options=Options(oauth=SIGN_IN))

    assert world.send("", path="/mcp", headers={"host": "evil.example"}).status == 404
