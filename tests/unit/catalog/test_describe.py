"""Describe shows all there is to know before calling a tool."""

from typing import Any

import pytest

from forge.contract.catalog import load_catalog
from forge.testing.world import World
from tests.unit.catalog.small_world import a_small_world


def described(names: object, *, world: World | None = None, **key: Any) -> dict[str, Any]:
    place = world or a_small_world()
    return place.call("catalog.describe", {"names": names}, key=place.a_key(**key))


def test_a_tool_is_described_with_schema_scopes_and_effect() -> None:
    result = described(["catalog.search"])

    shown = result["structuredContent"]["data"][0]
    tool = load_catalog().get("catalog.search")
    assert shown == {
        "name": "catalog_search",
        "description": tool.description.replace("catalog.", "catalog_"),
        "inputSchema": tool.input_schema,
        "scopes": [],
        "effect": "READ_ONLY",
    }


def test_tools_come_in_the_order_they_were_named_in_either_spelling() -> None:
    result = described(["workspace_get", "catalog.call", "catalog_search"])

    names = [row["name"] for row in result["structuredContent"]["data"]]
    assert names == ["workspace_get", "catalog_call", "catalog_search"]


@pytest.mark.parametrize("names", ["workspace.get", '["workspace.get"]'])
def test_one_name_or_a_list_as_text_will_do(names: str) -> None:
    result = described(names)

    assert [row["name"] for row in result["structuredContent"]["data"]] == ["workspace_get"]


def test_a_tool_the_key_may_not_call_says_which_scopes_it_needs() -> None:
    result = described(["workspace.get"], scopes=[])

    assert result["structuredContent"]["data"][0]["scopes"] == ["READ_ISSUES"]


def test_one_unknown_name_fails_the_call_with_the_closest_known_ones() -> None:
    result = described(["workspace.get", "workspce.get"])

    assert result["isError"] is True
    assert result["structuredContent"]["error"] == "not_found"
    assert "workspace_get" in result["structuredContent"]["details"]["didYouMean"]


def test_twenty_tools_are_described_at_once() -> None:
    result = described(["workspace.get"] * 20)

    assert len(result["structuredContent"]["data"]) == 20
