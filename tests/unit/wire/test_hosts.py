"""A server on loopback answers only to its own names, so that no web page can reach it through a browser."""

import pytest

from forge.testing.world import World
from forge.wire.edge import Options
from forge.wire.hosts import LOOPBACK
from forge.wire.paths import DESCRIBE_PATH, HEALTH_PATH, RPC_PATH
from tests.unit.wire.answers import body_of, rpc_error

OWN_NAMES = [
    "localhost",
    "localhost:8787",
    "LOCALHOST:8787",
    "127.0.0.1",
    "127.0.0.1:8787",
    "[::1]",
    "[::1]:8787",
]
FOREIGN_NAMES = [
    "evil.example",
    "evil.example:8787",
    "localhost.evil.example",
    "evil.example.localhost",
    "127.0.0.1.evil.example",
    "127.0.0.2",
    "0.0.0.0:8787",
    "::1",
    "[::1",
    "",
    " ",
    "localhost@evil.example",
]
FOREIGN_ORIGINS = [
    "http://evil.example",
    "https://localhost.evil.example",
    "null",
    "",
    "localhost",
    "file://",
]


@pytest.fixture
def guarded_world() -> World:
    return World(options=Options(allowed_hosts=LOOPBACK))


@pytest.mark.parametrize("host", OWN_NAMES)
def test_its_own_names_are_served(guarded_world: World, host: str) -> None:
    response = guarded_world.legacy(
        "ping", key=guarded_world.a_key(), headers={"host": host, "origin": f"http://{host}"}
    )

    assert response.status == 200


@pytest.mark.parametrize("host", FOREIGN_NAMES)
def test_a_foreign_host_is_refused(guarded_world: World, host: str) -> None:
    response = guarded_world.legacy("ping", key=guarded_world.a_key(), headers={"host": host})

    assert response.status == 403
    assert rpc_error(response)["data"]["error"] == "forbidden"


@pytest.mark.parametrize("origin", FOREIGN_ORIGINS)
def test_a_foreign_origin_is_refused(guarded_world: World, origin: str) -> None:
    response = guarded_world.legacy(
        "ping", key=guarded_world.a_key(), headers={"host": "localhost", "origin": origin}
    )

    assert response.status == 403


@pytest.mark.parametrize("path", [RPC_PATH, HEALTH_PATH, DESCRIBE_PATH, "/api/mcp/workspace.get", "/nowhere"])
def test_every_path_is_guarded(guarded_world: World, path: str) -> None:
    response = guarded_world.send("", path=path, headers={"host": "evil.example"})

    assert response.status == 403


def test_the_refusal_comes_before_the_key_and_is_an_error_object_on_rest(guarded_world: World) -> None:
    response = guarded_world.rest("workspace.get", headers={"host": "evil.example"})

    assert response.status == 403
    assert body_of(response)["error"] == "forbidden"


def test_a_client_that_is_no_browser_need_not_send_an_origin(guarded_world: World) -> None:
    assert (
        guarded_world.legacy("ping", key=guarded_world.a_key(), headers={"host": "localhost"}).status == 200
    )


@pytest.mark.parametrize("host", [*OWN_NAMES, *FOREIGN_NAMES])
def test_behind_a_gateway_every_host_is_served(world: World, host: str) -> None:
    response = world.legacy(
        "ping", key=world.a_key(), headers={"host": host, "origin": "https://any.example"}
    )

    assert response.status == 200
