"""Failures of tools whose contract answers with them as with any other value."""

import json
from typing import Any, cast

import pytest

from forge.testing.world import World
from forge.wire.edge import Options
from forge.wire.http import Response
from forge.wire.remote import RemoteRunner
from tests.unit.wire.answers import body_of
from tests.unit.wire.probes import a_probe_world, probe_catalog
from tests.unit.wire.test_invocation import FakeLambda

RACE = {"success": False, "code": "CONFLICT", "given": 0}


def called(world: World, tool: str, body: object = None, **headers: str) -> Response:
    return world.send(body or {}, path=f"/api/mcp/{tool}", key=world.a_key(), headers=headers)


def test_a_failure_is_a_value_with_status_200() -> None:
    answer = called(a_probe_world(), "lose_race")

    assert (answer.status, body_of(answer)) == (200, RACE)


def test_over_mcp_it_is_a_result_that_is_an_error(probe_world: World) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "lose_race"}}

    result = body_of(probe_world.send(message, key=probe_world.a_key()))["result"]

    assert (result["isError"], result["structuredContent"]) == (True, RACE)
    assert json.loads(result["content"][0]["text"]) == RACE


def test_what_the_contract_does_not_retell_is_told_as_usual() -> None:
    answer = called(a_probe_world(), "lose_race", {"what": "is this"})

    assert (answer.status, body_of(answer)["error"]) == (400, "invalid_input")


def test_what_is_our_fault_keeps_its_status_and_says_nothing_of_its_cause(probe_world: World) -> None:
    answer = called(probe_world, "break_down")

    assert (answer.status, body_of(answer)) == (500, {"success": False, "code": "INTERNAL", "given": 0})
    assert "RuntimeError" in "".join(probe_world.log)


def test_the_log_says_what_really_happened(probe_world: World) -> None:
    called(probe_world, "lose_race")

    assert json.loads(probe_world.log[-1])["outcome"] == "conflict"


@pytest.mark.parametrize("tool", ["lose_race", "break_down"])
def test_it_is_the_same_where_the_tool_runs_in_a_function_of_its_own(tool: str) -> None:
    there = a_probe_world()
    function = FakeLambda(there.edge.invoke)
    runner = RemoteRunner({"unit": "forge-unit"}, lambda: cast("Any", function))
    router = World(catalog=probe_catalog(), options=Options(runner=runner))

    remote, local = called(router, tool), called(there, tool)

    assert function.invoked == ["forge-unit"]
    assert (remote.status, body_of(remote)) == (local.status, body_of(local))
