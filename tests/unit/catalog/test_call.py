"""A call through the catalog is a call of the tool itself: its scopes, its input, its answer."""

import json
from typing import Any

import pytest

from forge.contract.terms import Scope
from forge.testing.world import World
from tests.unit.catalog.small_world import a_small_world


@pytest.fixture
def small_world() -> World:
    return a_small_world()


def called(name: str, *, world: World | None = None, scopes: Any = tuple(Scope), **rest: Any) -> Any:
    place = world or a_small_world()
    return place.call("catalog.call", {"name": name, **rest}, key=place.a_key(scopes=scopes))


@pytest.mark.parametrize("name", ["workspace.get", "workspace_get"])
def test_the_answer_is_the_tools_own(small_world: World, name: str) -> None:
    key = small_world.a_key()

    result = small_world.call("catalog.call", {"name": name}, key=key)

    direct = small_world.call("workspace.get", key=key)
    assert result["isError"] is False
    assert result["structuredContent"] == direct["structuredContent"]
    assert json.loads(result["content"][0]["text"]) == direct["structuredContent"]


@pytest.mark.parametrize("arguments", [{"query": "workspace"}, '{"query": "workspace"}'])
def test_arguments_reach_the_tool(arguments: object) -> None:
    result = called("catalog.search", arguments=arguments)

    assert result["structuredContent"]["data"][0]["name"] == "workspace_get"


@pytest.mark.parametrize("arguments", [{}, None, "null"])
def test_a_tool_without_arguments_needs_none(arguments: object) -> None:
    assert called("workspace.get", arguments=arguments)["isError"] is False
    assert called("workspace.get")["isError"] is False


@pytest.mark.parametrize("name", ["catalog.call", "catalog_call"])
def test_it_does_not_call_itself(name: str) -> None:
    result = called(name, arguments={"name": "workspace.get"})

    assert result["isError"] is True
    assert result["structuredContent"]["error"] == "invalid_input"
    assert list(result["structuredContent"]["issues"]) == ["name"]


def test_who_may_not_call_a_tool_is_told_so_before_anything_about_the_input() -> None:
    result = called("workspace.get", scopes=[], arguments={"nonsense": 1})

    assert result["structuredContent"]["error"] == "scope_required"


def test_bad_arguments_are_refused_as_the_tool_refuses_them() -> None:
    result = called("catalog.search", arguments={"limit": 5})

    assert result["isError"] is True
    assert result["structuredContent"]["error"] == "invalid_input"
    assert list(result["structuredContent"]["issues"]) == ["query"]


def test_an_unknown_tool_comes_back_with_the_closest_ones() -> None:
    result = called("workspce.get")

    assert result["isError"] is True
    assert result["structuredContent"]["error"] == "not_found"
    assert result["structuredContent"]["details"]["didYouMean"][0] == "workspace_get"


def test_rest_answers_the_same(small_world: World) -> None:
    key = small_world.a_key()

    response = small_world.rest("catalog.call", {"name": "workspace.get"}, key=key)

    assert response.status == 200
    assert response.body == small_world.rest("workspace.get", key=key).body


@pytest.mark.parametrize(
    ("body", "status"), [({"name": "nope"}, 404), ({"name": "catalog.call"}, 400), ({"name": 5}, 400)]
)
def test_rest_answers_a_failure_with_the_status_of_its_code(
    small_world: World, body: dict[str, Any], status: int
) -> None:
    assert small_world.rest("catalog.call", body, key=small_world.a_key()).status == status


def test_one_call_through_the_catalog_counts_once(small_world: World) -> None:
    key = small_world.a_key()

    statuses = [
        small_world.rest("catalog.call", {"name": "workspace.get"}, key=key).status for _ in range(301)
    ]

    assert statuses == [200] * 300 + [429]
