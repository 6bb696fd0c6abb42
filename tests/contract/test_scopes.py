"""A tool runs for exactly those keys that have its scopes, and the operators' tools for operators alone."""

import json
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import pytest

from forge.context import KeyKind, Role
from forge.contract.profiles import PROFILES
from forge.contract.terms import Surface
from forge.contract.tools import AnyTool
from forge.errors import ErrorCode
from forge.store.connections import Connections
from forge.store.provision import provision
from forge.store.store import Store
from forge.testing.world import World
from forge.wire.protocol import INVALID_PARAMS
from tests.contract.calls import SAMPLES, every_offered_sample, every_operators_sample, every_sample
from tests.contract.dumps import content
from tests.contract.stage import ALL_SCOPES, ALL_TOOLS, Arguments, Ready, Sample, Stage

OFFERED = [tool for tool in ALL_TOOLS.values() if tool.surface is Surface.MCP]
OPERATORS = [tool for tool in ALL_TOOLS.values() if tool.surface is Surface.ADMIN]

Error = dict[str, Any]

every_operators_tool = pytest.mark.parametrize("tool", OPERATORS, ids=str)


class Staged(NamedTuple):
    """A call that is ready but for its key. What is refused changes nothing, so many tests share one."""

    sample: Sample
    stage: Stage
    arguments: Arguments
    store: Store

    @property
    def world(self) -> World:
        return self.stage.world

    def refused(self, key: str, arguments: Arguments | None = None) -> Error:
        """The error, once it is sure that nothing happened."""
        before = content(self.store)
        ready = Ready(self.sample.tool, self.arguments if arguments is None else arguments, key)
        answer = ready.send(self.world)
        assert answer.status == 403
        assert content(self.store) == before
        return error_of(answer.body)


StagedFor = Callable[[Sample], Staged]


@pytest.fixture(scope="module")
def staged_for(connections: Connections) -> StagedFor:
    @cache
    def staged(sample: Sample) -> Staged:
        store = provision(connections, f"scopes-{SAMPLES.index(sample)}")
        stage = Stage(World(store=store))
        return Staged(sample, stage, sample.arguments(stage), store)

    return staged


def error_of(body: str) -> Error:
    error: Error = json.loads(body)
    return error


@every_sample
def test_a_key_that_lacks_a_scope_is_told_which_and_changes_nothing(
    sample: Sample, staged_for: StagedFor
) -> None:
    staged = staged_for(sample)
    for scope in sample.scopes:
        key = staged.stage.key_for(sample.tool, ALL_SCOPES - {scope})

        error = staged.refused(key)

        assert error["error"] == ErrorCode.SCOPE_REQUIRED
        assert error["details"] == {"scope": scope}


@every_sample
def test_the_scope_is_asked_for_before_the_arguments(sample: Sample, staged_for: StagedFor) -> None:
    staged = staged_for(sample)
    for scope in sample.tool.scopes:
        key = staged.stage.key_for(sample.tool, ALL_SCOPES - {scope})

        error = staged.refused(key, {"nonsense": True})

        assert error["error"] == ErrorCode.SCOPE_REQUIRED


@every_offered_sample
def test_over_rpc_a_missing_scope_fails_the_call_and_not_the_protocol(
    sample: Sample, staged_for: StagedFor
) -> None:
    staged = staged_for(sample)
    for scope in sample.scopes:
        key = staged.stage.key_for(sample.tool, ALL_SCOPES - {scope})
        before = content(staged.store)

        result = staged.world.call(sample.tool.name, staged.arguments, key=key)

        assert result["isError"] is True
        assert result["structuredContent"]["error"] == ErrorCode.SCOPE_REQUIRED
        assert result["structuredContent"]["details"] == {"scope": scope}
        assert content(staged.store) == before


@every_operators_sample
def test_an_agents_key_is_no_operator_whatever_its_scopes(sample: Sample, staged_for: StagedFor) -> None:
    staged = staged_for(sample)
    key = staged.world.a_key(kind=KeyKind.AGENT, linked_agent_id=staged.stage.an_agent())

    error = staged.refused(key)

    assert error["error"] == ErrorCode.FORBIDDEN


@every_operators_sample
@pytest.mark.parametrize("role", [Role.MEMBER, Role.GUEST])
def test_who_is_no_admin_has_no_use_of_the_admin_scope(
    sample: Sample, role: Role, staged_for: StagedFor
) -> None:
    staged = staged_for(sample)
    key = staged.world.a_key(user_id=staged.stage.owner_id(), role=role)

    error = staged.refused(key)

    assert error["error"] == ErrorCode.SCOPE_REQUIRED


@every_sample
def test_exactly_its_scopes_are_enough_for_a_tool(sample: Sample, staged_for: StagedFor) -> None:
    staged = staged_for(sample)
    key = staged.stage.key_for(sample.tool, sample.scopes)

    answer = Ready(sample.tool, staged.arguments, key).send(staged.world)

    assert answer.status == 200, answer.body


@pytest.fixture(scope="module")
def world() -> World:
    """Without a table: what is asked of it here must not get that far."""
    return World()


@every_operators_tool
def test_an_operators_tool_is_not_at_a_tools_address(tool: AnyTool, world: World) -> None:
    for name in (tool.name, tool.portable_name):
        answer = world.rest(name, {}, key=world.owner_key())

        assert answer.status == 404
        assert error_of(answer.body)["error"] == ErrorCode.NOT_FOUND


@every_operators_tool
def test_an_operators_tool_is_unknown_to_both_eras_of_the_protocol(tool: AnyTool, world: World) -> None:
    for name in (tool.name, tool.portable_name):
        for era in (world.modern, world.legacy):
            answer = era("tools/call", {"name": name, "arguments": {}}, key=world.owner_key())

            assert error_of(answer.body)["error"]["code"] == INVALID_PARAMS


@every_operators_tool
def test_the_catalog_neither_calls_nor_describes_an_operators_tool(tool: AnyTool, world: World) -> None:
    for name in (tool.name, tool.portable_name):
        for asked in (("catalog.call", {"name": name}), ("catalog.describe", {"names": [name]})):
            result = world.call(*asked, key=world.owner_key())

            assert result["structuredContent"]["error"] == ErrorCode.NOT_FOUND


@every_operators_tool
def test_no_search_finds_an_operators_tool(tool: AnyTool, world: World) -> None:
    found = world.call("catalog.search", {"query": tool.name, "limit": 50}, key=world.owner_key())

    assert tool.name not in {row["name"] for row in found["structuredContent"]["data"]}


@pytest.mark.parametrize("profile", PROFILES)
def test_no_list_shows_an_operators_tool(profile: str, world: World) -> None:
    answer = world.legacy("tools/list", key=world.owner_key(), query={"profile": profile})

    listed = {tool["name"] for tool in json.loads(answer.body)["result"]["tools"]}
    assert not listed & {tool.portable_name for tool in OPERATORS}


@pytest.mark.parametrize("tool", OFFERED, ids=str)
def test_a_tool_of_agents_is_not_at_an_operators_address(tool: AnyTool, world: World) -> None:
    answer = world.admin(tool.name, {}, key=world.owner_key())

    assert answer.status == 404
    assert error_of(answer.body)["error"] == ErrorCode.NOT_FOUND
