"""Apps: told only to hosts that show them, as one file that loads nothing from anywhere."""

import json
import re
from typing import Any

import pytest

from forge.contract.catalog import load_catalog
from forge.testing.world import World
from forge.wire.protocol import APPS, META_CAPABILITIES

SHOWS = {META_CAPABILITIES: {"extensions": {APPS: {"mimeTypes": ["text/html;profile=mcp-app"]}}}}
WITH_APPS = {tool.portable_name: tool.app for tool in load_catalog().tools if tool.app}


def tools_of(response: Any) -> dict[str, dict[str, Any]]:
    return {tool["name"]: tool for tool in json.loads(response.body)["result"]["tools"]}


def read(world: World, key: str, uri: str) -> dict[str, Any]:
    return dict(json.loads(world.modern("resources/read", {"uri": uri}, key=key).body))


def test_a_host_that_shows_apps_is_told_which_tools_have_one(world: World, key: str) -> None:
    by_declaration = tools_of(world.modern("tools/list", {"_meta": SHOWS}, key=key))
    by_address = tools_of(world.legacy("tools/list", key=key, query={"apps": "1"}))

    for listed in (by_declaration, by_address):
        told = {name: tool["_meta"]["ui"]["resourceUri"] for name, tool in listed.items() if "_meta" in tool}
        assert told == WITH_APPS != {}


@pytest.mark.parametrize("profile", ["runtime", "worker", "full"])
def test_nobody_else_s_list_grows(world: World, key: str, profile: str) -> None:
    query = {"profile": profile}
    plain = world.modern("tools/list", key=key, query=query)
    other: dict[str, Any] = {META_CAPABILITIES: {"extensions": {"io.example/other": {}}}}

    assert "resourceUri" not in plain.body
    assert world.modern("tools/list", {"_meta": other}, key=key, query=query).body == plain.body
    told = tools_of(world.modern("tools/list", {"_meta": SHOWS}, key=key, query=query))
    assert {name: {**tool, "_meta": 0} for name, tool in told.items()} == {
        name: {**tool, "_meta": 0} for name, tool in tools_of(plain).items()
    }


@pytest.mark.parametrize("uri", sorted(set(WITH_APPS.values())))
def test_an_app_is_one_file_that_asks_nobody_for_more(world: World, key: str, uri: str) -> None:
    (contents,) = read(world, key, uri)["result"]["contents"]

    assert contents["mimeType"] == "text/html;profile=mcp-app"
    assert contents["uri"] == uri
    page = contents["text"]
    assert not re.findall(
        r"""(?:src|href)\s*=|url\(|import\s|fetch\(|XMLHttpRequest|innerHTML|eval\(""", page
    )
    assert "csp" not in contents["_meta"]["ui"]


def test_what_is_no_app_is_refused_and_none_is_offered_to_people(world: World, key: str) -> None:
    listed = json.loads(world.modern("resources/list", key=key).body)["result"]["resources"]

    assert read(world, key, "ui://forge/other")["error"]["code"] == -32602
    assert not [one for one in listed if one["uri"].startswith("ui://")]
