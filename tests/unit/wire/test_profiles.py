"""Which tools a client lists: by profile, by namespace, in either spelling, never more than its key may."""

from typing import Any

import pytest

from forge.contract.profiles import PROFILES
from forge.contract.terms import Scope
from forge.testing.world import World
from tests.unit.wire.answers import listed_names, result_of, rpc_error


def names(world: World, *, scopes: tuple[Scope, ...] = tuple(Scope), **how: Any) -> list[str]:
    return listed_names(world.modern("tools/list", key=world.a_key(scopes=scopes), **how))


@pytest.mark.parametrize("profile", PROFILES)
def test_every_profile_can_be_chosen_in_the_address_and_by_header(world: World, profile: str) -> None:
    by_query = names(world, query={"profile": profile})
    by_header = names(world, headers={"x-forge-profile": profile})

    assert by_query == by_header
    assert by_query


def test_the_default_profile_is_runtime(world: World) -> None:
    assert names(world) == names(world, query={"profile": "runtime"})


def test_the_default_profile_is_small_and_reaches_everything_through_the_catalog() -> None:
    listed = names(World())

    assert len(listed) <= 25
    assert {"catalog_search", "catalog_describe", "catalog_call"} <= set(listed)


def test_readonly_lists_only_tools_that_change_nothing(world: World) -> None:
    tools = result_of(world.modern("tools/list", key=world.a_key(), query={"profile": "readonly"}))["tools"]

    assert tools
    assert all(tool["annotations"]["readOnlyHint"] for tool in tools)


def test_full_lists_every_tool_of_the_key(key: str, world: World) -> None:
    listed = listed_names(world.modern("tools/list", key=key, query={"profile": "full"}))

    assert len(listed) == len([tool for tool in world.edge.catalog.tools if tool.surface == "mcp"])
    assert len(set(listed)) == len(listed)


@pytest.mark.parametrize(
    "value", ["workspace", " workspace ", "workspace,", ",,workspace", "workspace,catalog"]
)
def test_namespaces_can_be_chosen_and_win_over_the_profile(world: World, value: str) -> None:
    by_query = names(world, query={"tools": value})
    by_header = names(world, headers={"x-forge-tools": value})

    assert by_query == by_header == names(world, query={"tools": value, "profile": "full"})
    assert {name.split("_")[0] for name in by_query} == set(value.replace(" ", "").split(",")) - {""}


def test_the_address_wins_over_the_header() -> None:
    listed = names(
        World(),
        query={"profile": "runtime"},
        headers={"x-forge-profile": "no such profile"},
    )

    assert "workspace_get" in listed


@pytest.mark.parametrize("choice", [{"profile": ""}, {"tools": ""}, {"tools": " , "}])
def test_an_empty_choice_is_no_choice(world: World, choice: dict[str, str]) -> None:
    assert names(world, query=choice) == names(world)


def test_canonical_names_are_listed_on_demand(world: World) -> None:
    canonical = names(world, query={"names": "canonical"})

    assert "workspace.get" in canonical
    assert [name.replace(".", "_") for name in canonical] == names(world)


@pytest.mark.parametrize(
    "how",
    [
        {"query": {"profile": "no such profile"}},
        {"query": {"profile": "x" * 10_000}},
        {"query": {"profile": "RUNTIME"}},
        {"query": {"tools": "nosuch"}},
        {"query": {"tools": "workspace,nosuch"}},
        {"headers": {"x-forge-profile": "é"}},
        {"headers": {"x-forge-tools": "nosuch"}},
    ],
)
def test_an_unknown_choice_is_refused_with_the_known_ones(
    key: str, world: World, how: dict[str, Any]
) -> None:
    modern = world.modern("tools/list", key=key, **how)
    legacy = world.legacy("tools/list", key=key, **how)

    assert (modern.status, legacy.status) == (400, 200)
    for response in (modern, legacy):
        assert rpc_error(response)["code"] == -32602
        assert rpc_error(response)["data"]["known"]
        assert len(response.body) < 2000


def test_a_profile_shapes_the_list_never_what_may_be_called(world: World) -> None:
    result = world.call("workspace_get", key=world.a_key(), query={"profile": "gateway"})

    assert result["isError"] is False


def test_every_entry_has_what_clients_need(world: World) -> None:
    tools = result_of(world.modern("tools/list", key=world.a_key(), query={"profile": "full"}))["tools"]

    for tool in tools:
        assert tool["inputSchema"]["type"] == "object"
        assert "properties" in tool["inputSchema"]
        assert tool["description"]
        assert "readOnlyHint" in tool["annotations"]
