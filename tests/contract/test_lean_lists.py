"""Lists that every conversation begins with are short, and what they leave out is said everywhere else."""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import pytest

from forge.contract.profiles import PROFILES, Selection
from forge.contract.terms import Surface
from forge.contract.tools import AnyTool
from forge.testing.world import World
from infra.openapi import openapi_document
from infra.reference import reference_pages
from infra.registry import find_namespaces, find_tools
from tests.contract.published import compiled, listing
from tests.tokens import count_tokens_of

MAX_TOKENS = {"runtime": 4_000, "worker": 2_000}
ROOM_TO_COME: dict[str, int] = {}

WITH_RARE_FIELDS = [
    tool
    for tool in find_tools()
    if tool.surface is Surface.MCP and compiled().get(tool.name, surface=tool.surface).rare
]


@pytest.mark.parametrize("profile", MAX_TOKENS)
def test_a_list_costs_no_more_than_was_promised(profile: str) -> None:
    """With room for what the profile names and nobody has declared yet."""
    world = World(catalog=compiled())

    answer = world.modern("tools/list", key=world.a_key(), query={"profile": profile})

    to_come = [name for name in PROFILES[profile].tools if compiled().find(name) is None]
    assert set(to_come) <= ROOM_TO_COME.keys()
    assert (
        count_tokens_of(json.loads(answer.body)["result"]) + sum(ROOM_TO_COME[name] for name in to_come)
        <= MAX_TOKENS[profile]
    )


@pytest.mark.parametrize("tool", WITH_RARE_FIELDS, ids=str)
def test_a_rare_field_is_left_out_of_short_lists_which_say_so(tool: AnyTool) -> None:
    entry = _listed(tool, Selection(namespaces=frozenset({tool.namespace})))

    shown = set(_paths(entry["inputSchema"]))
    assert shown.isdisjoint(compiled().get(tool.name).rare)
    assert shown < set(_paths(compiled().get(tool.name).input_schema)) or shown == set()
    assert entry["description"].endswith("More fields: catalog_describe.")


@pytest.mark.parametrize("tool", WITH_RARE_FIELDS, ids=str)
def test_a_rare_field_is_shown_by_the_full_list_the_description_the_reference_and_openapi(
    tool: AnyTool,
) -> None:
    rare = set(compiled().get(tool.name).rare)
    world = World(catalog=compiled())
    described = world.call("catalog.describe", {"names": [tool.name]}, key=world.a_key())

    full = _listed(tool, Selection(profile="full"))["inputSchema"]
    explained = described["structuredContent"]["data"][0]["inputSchema"]

    assert rare <= set(_paths(full))
    assert explained == full
    assert {path for path in rare if "." not in path} <= _fields_on_the_page(tool) & _fields_in_openapi(tool)


def _listed(tool: AnyTool, selection: Selection) -> dict[str, Any]:
    (entry,) = (entry for entry in listing(selection) if entry["name"] == tool.portable_name)
    return entry


def _paths(schema: Mapping[str, Any], above: str = "") -> Iterator[str]:
    for name, child in schema.get("items", schema).get("properties", {}).items():
        yield f"{above}{name}"
        yield from _paths(child, f"{above}{name}.")


def _fields_on_the_page(tool: AnyTool) -> set[str]:
    folder = tool.handler.__module__.split(".")[1]
    page = reference_pages({folder: find_namespaces()[folder]})[f"{folder}.md"]
    section = page.split(f"## {tool.name}\n", 1)[1]
    table = section.split("| input |", 1)[1].split("\n\n", 1)[0]
    return {row.split("`")[1] for row in table.splitlines() if row.startswith("| `")}


@cache
def _openapi() -> dict[str, Any]:
    return openapi_document(find_namespaces().values())


def _fields_in_openapi(tool: AnyTool) -> set[str]:
    document = _openapi()
    body = document["paths"][f"/api/mcp/{tool.name}"]["post"]["requestBody"]
    reference = body["content"]["application/json"]["schema"]["$ref"].rsplit("/", 1)[-1]
    return set(document["components"]["schemas"][reference]["properties"])
