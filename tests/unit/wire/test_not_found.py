"""Paths that lead nowhere: clean JSON, so that no client takes them for a login page."""

import pytest

from forge.testing.world import World
from tests.unit.wire.answers import body_of

NOWHERE = [
    "/",
    "",
    "/register",
    "/.well-known/oauth-protected-resource",
    "/.well-known/oauth-protected-resource/api/mcp/rpc",
    "/.well-known/oauth-authorization-server",
    "/.well-known/openid-configuration",
    "/mcp",
    "/api",
    "/api/mcp",
    "/api/admin",
    "/API/MCP/RPC",
    "/favicon.ico",
    "/healthz/",
    "//api/mcp/rpc",
    "/../../etc/passwd",
    "/" + "x" * 5000,
    "/é\n\r\x00<script>",
]


@pytest.mark.parametrize("path", NOWHERE)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_path_that_leads_nowhere_is_a_json_404_with_and_without_a_key(
    world: World, key: str, path: str, method: str
) -> None:
    for response in (
        world.send("", method=method, path=path),
        world.send("", method=method, path=path, key=key),
    ):
        assert response.status == 404
        assert body_of(response)["error"] == "not_found"
        assert "www-authenticate" not in response.headers


def test_the_answer_shows_only_the_beginning_of_a_long_path(world: World) -> None:
    response = world.send("", path="/" + "x" * 5000)

    assert len(response.body) < 1000


def test_a_browser_at_the_bare_address_is_led_to_the_console() -> None:
    html = {"accept": "text/html,application/xhtml+xml"}

    response = World().send("", method="GET", path="/", headers=html)

    assert (response.status, response.headers["location"]) == (302, "/console")
