"""A tool runs for exactly those keys that have its scopes, and the operators' tools for operators alone."""

import json
from typing import Any

import pytest

from forge.context import KeyKind, Role
from forge.contract.profiles import PROFILES
from forge.contract.terms import Surface
from forge.contract.tools import AnyTool
from forge.errors import ErrorCode
from forge.testing.world import World
from forge.wire.protocol import INVALID_PARAMS
from tests.contract.calls import SAMPLES, every_sample, samples_of
from tests.contract.dumps import content
from tests.contract.rehearsals import Rehearsal, Rehearse
from tests.contract.retold import plain_error
from tests.contract.stage import ALL_SCOPES, ALL_TOOLS, Arguments, Sample

OFFERED = [tool for tool in ALL_TOOLS.values() if tool.surface is Surface.MCP]
OPERATORS = [tool for tool in ALL_TOOLS.values() if tool.surface is Surface.ADMIN]

# The scope is asked for before the arguments, so that calls which need the same are refused alike.
NEEDING_THEIR_OWN = {(sample.tool.name, sample.scopes): sample for sample in reversed(SAMPLES)}.values()

Error = dict[str, Any]

every_operators_tool = pytest.mark.parametrize("tool", OPERATORS, ids=str)


def refused(rehearsal: Rehearsal, key: str, arguments: Arguments | None = None) -> Error:
    """The error of a call with this key, once it is sure that nothing happened."""
    before = content(rehearsal.store)
    ready = rehearsal.ready._replace(key=key)
    answer = (ready if arguments is None else ready._replace(arguments=arguments)).send(rehearsal.world)
    assert answer.status == 403, answer.body
    assert content(rehearsal.store) == before
    return error_of(answer.body)


def refused_over_rpc(rehearsal: Rehearsal, key: str) -> Error:
    """A missing scope fails the call and not the protocol."""
    before = content(rehearsal.store)
    result = rehearsal.world.call(rehearsal.sample.tool.name, rehearsal.ready.arguments, key=key)
    assert result["isError"] is True
    assert content(rehearsal.store) == before
    return plain_error(result["structuredContent"])


def error_of(body: str) -> Error:
    error: Error = json.loads(body)
    return error


@pytest.mark.parametrize("sample", NEEDING_THEIR_OWN, ids=str)
def test_a_key_that_lacks_a_scope_is_told_which_and_changes_nothing(
    sample: Sample, rehearse: Rehearse
) -> None:
    rehearsal = rehearse(sample)
    rehearsal.rewind()

    for scope in sample.scopes - (sample.passed_on - set(sample.tool.scopes)):
        key = rehearsal.stage.key_for(sample.tool, ALL_SCOPES - {scope})
        errors = [refused(rehearsal, key)]
        if sample.tool.surface is Surface.MCP:
            errors.append(refused_over_rpc(rehearsal, key))

        for error in errors:
            assert (error["error"], error["details"]) == (ErrorCode.SCOPE_REQUIRED, {"scope": scope})
        if scope in sample.tool.scopes:
            assert refused(rehearsal, key, {"nonsense": True})["error"] == ErrorCode.SCOPE_REQUIRED, scope


@every_operators_tool
def test_neither_an_agent_nor_who_is_no_admin_is_an_operator_whatever_the_scopes(
    tool: AnyTool, rehearse: Rehearse
) -> None:
    rehearsal = rehearse(samples_of(tool.name)[0])
    rehearsal.rewind()
    world, stage = rehearsal.world, rehearsal.stage
    agent = world.a_key(kind=KeyKind.AGENT, linked_agent_id=stage.an_agent())

    assert refused(rehearsal, agent)["error"] == ErrorCode.FORBIDDEN
    for role in (Role.MEMBER, Role.GUEST):
        key = world.a_key(user_id=stage.owner_id(), role=role)
        assert refused(rehearsal, key)["error"] == ErrorCode.FORBIDDEN, role


@every_sample
def test_exactly_its_scopes_are_enough_for_a_tool(sample: Sample, rehearse: Rehearse) -> None:
    rehearsal = rehearse(sample)
    rehearsal.rewind()
    key = rehearsal.stage.key_for(sample.tool, sample.scopes)

    answer = rehearsal.ready._replace(key=key).send(rehearsal.world)

    assert answer.status == 200, answer.body


@pytest.fixture(scope="module")
def world() -> World:
    """Without a table: what is asked of it here must not get that far."""
    return World()


@every_operators_tool
def test_an_operators_tool_is_not_where_tools_of_agents_are(tool: AnyTool, world: World) -> None:
    key = world.owner_key()

    for name in (tool.name, tool.portable_name):
        answer = world.rest(name, {}, key=key)
        assert (answer.status, error_of(answer.body)["error"]) == (404, ErrorCode.NOT_FOUND), name
        for era in (world.modern, world.legacy):
            called = era("tools/call", {"name": name, "arguments": {}}, key=key)
            assert error_of(called.body)["error"]["code"] == INVALID_PARAMS, name
        for asked in (("catalog.call", {"name": name}), ("catalog.describe", {"names": [name]})):
            result = world.call(*asked, key=key)
            assert result["structuredContent"]["error"] == ErrorCode.NOT_FOUND, asked
    found = world.call("catalog.search", {"query": tool.name, "limit": 50}, key=key)
    assert {tool.name, tool.portable_name}.isdisjoint(
        row["name"] for row in found["structuredContent"]["data"]
    )


@pytest.mark.parametrize("profile", PROFILES)
def test_no_list_shows_an_operators_tool(profile: str, world: World) -> None:
    answer = world.legacy("tools/list", key=world.owner_key(), query={"profile": profile})

    listed = {tool["name"] for tool in json.loads(answer.body)["result"]["tools"]}
    assert not listed & {tool.portable_name for tool in OPERATORS}


def test_no_tool_of_agents_is_at_an_operators_address(world: World) -> None:
    answers = {tool.name: world.admin(tool.name, {}, key=world.owner_key()) for tool in OFFERED}

    found = {name: (answer.status, error_of(answer.body)["error"]) for name, answer in answers.items()}
    assert found == dict.fromkeys(answers, (404, ErrorCode.NOT_FOUND))
