"""How others find the server: its card beside the endpoint, and the list at the root that leads to it."""

import json
from typing import Any
from urllib.parse import urlsplit

import pytest

from forge.testing.world import World
from forge.wire.cards import registry_entry
from forge.wire.edge import Options
from forge.wire.http import Request, Response
from forge.wire.identity import SERVER_NAME
from forge.wire.paths import AI_CATALOG_PATH, RPC_PATH, SERVER_CARD_PATH

URL = "https://forge.example.com"
BOTH = pytest.mark.parametrize("path", [SERVER_CARD_PATH, AI_CATALOG_PATH])


def body_of(response: Response) -> dict[str, Any]:
    assert response.status == 200
    return dict(json.loads(response.body))


@pytest.fixture
def world() -> World:
    return World(public_url=URL)


def test_the_list_at_the_root_leads_to_the_card_which_leads_to_the_endpoint(world: World) -> None:
    (entry,) = body_of(world.send("", method="GET", path=AI_CATALOG_PATH))["entries"]
    found = world.send("", method="GET", path=urlsplit(entry["url"]).path)
    card = body_of(found)

    assert entry["identifier"] == "urn:air:forge.example.com:mcp:forge"
    assert found.headers["content-type"] == entry["type"] == "application/mcp-server-card+json"
    assert card["name"] == "com.example.forge/forge"
    assert len(card["description"]) <= 100
    assert [one["url"] for one in card["remotes"]] == [f"{URL}{RPC_PATH}"]


def test_a_card_says_nothing_that_discover_says_otherwise(world: World, key: str) -> None:
    card = body_of(world.send("", method="GET", path=SERVER_CARD_PATH))
    told = body_of(world.modern("server/discover", key=key))["result"]

    server = told["_meta"]["io.modelcontextprotocol/serverInfo"]
    assert card["version"] == server["version"]
    assert card["name"].endswith(f"/{SERVER_NAME}")
    assert set(told["supportedVersions"]) <= set(card["remotes"][0]["supportedProtocolVersions"])
    assert not {"tools", "capabilities"} & card.keys()


@BOTH
def test_anybody_reads_them_from_anywhere_and_keeps_them(world: World, path: str) -> None:
    first = world.send("", method="GET", path=path, headers={"authorization": "Bearer nonsense"})
    again = world.send("", method="GET", path=path, headers={"if-none-match": first.headers["etag"]})
    head, asked = (world.send("", method=method, path=path) for method in ("HEAD", "OPTIONS"))

    assert (first.status, again.status, head.status, asked.status) == (200, 304, 200, 204)
    assert (again.body, head.body) == ("", "")
    assert first.headers["access-control-allow-origin"] == "*"
    assert first.headers["cache-control"] == "public, max-age=3600"
    assert head.headers["etag"] == first.headers["etag"]


@BOTH
def test_they_are_only_read_and_only_where_the_address_is_known(world: World, path: str) -> None:
    assert world.send("{}", path=path).status == 405
    assert World().send("", method="GET", path=path).status == 404


def test_the_address_is_the_configured_one_whoever_asks_by_which_name(world: World) -> None:
    asked = Request("GET", AI_CATALOG_PATH, {"host": "evil.example"}, "", "req_1")

    assert "evil" not in world.edge.handle(asked).body


def test_where_one_can_sign_in_that_comes_first() -> None:
    world = World(public_url=URL, options=Options(oauth="functions.oauth.routes"))

    card = body_of(world.send("", method="GET", path=SERVER_CARD_PATH))

    assert [one["url"] for one in card["remotes"]] == [f"{URL}/mcp", f"{URL}{RPC_PATH}"]
    assert "headers" not in card["remotes"][0]


def test_a_registry_asks_for_the_host_and_the_key() -> None:
    to_sign_in, remote = registry_entry("com.example/forge")["remotes"]

    assert to_sign_in["url"] == "https://{host}/mcp"
    assert to_sign_in.keys() == {"type", "url", "variables"}
    assert remote["url"] == "https://{host}/api/mcp/rpc"
    assert remote["variables"].keys() == {"host"}
    assert json.dumps(remote["headers"]).count("isSecret") == 2
