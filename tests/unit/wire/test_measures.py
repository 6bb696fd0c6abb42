"""Figures for CloudWatch in the line of each call: few dimensions, each call counted once."""

import json
from typing import Any

import pytest

from forge.context import Call, Door
from forge.contract.catalog import load_catalog
from forge.testing.builders import a_caller
from forge.testing.world import World
from forge.wire.edge import Options
from forge.wire.invocation import write_invocation
from forge.wire.measures import ASKED, NAMESPACE, OK, Measures
from forge.wire.settings import Settings


def a_deployment(*, by_namespace: bool = False) -> World:
    """One that has answered before."""
    world = World(options=Options(team="alpha", by_namespace=by_namespace))
    world.legacy("ping", key=world.a_key())
    world.log.clear()
    return world


@pytest.fixture
def deployment() -> World:
    return a_deployment()


def only_line(world: World) -> dict[str, Any]:
    (line,) = map(json.loads, world.log)
    return dict(line)


def told(line: dict[str, Any]) -> dict[tuple[str, ...], dict[str, float]]:
    """What CloudWatch makes of a line: values by the dimensions that they are counted under."""
    found: dict[tuple[str, ...], dict[str, float]] = {}
    for directive in line["_aws"]["CloudWatchMetrics"]:
        assert directive["Namespace"] == NAMESPACE
        for dimensions in directive["Dimensions"]:
            place = found.setdefault(tuple(str(line[name]) for name in dimensions), {})
            place |= {metric["Name"]: line[metric["Name"]] for metric in directive["Metrics"]}
    return found


def test_a_call_tells_its_duration_of_the_team_and_which_namespace_it_was(deployment: World) -> None:
    deployment.rest("workspace.get", key=deployment.a_key())

    line = only_line(deployment)
    assert told(line) == {("alpha",): {"ms": line["ms"]}}
    assert line["namespace"] == "workspace"


@pytest.mark.parametrize("spelling", ["workspace.get", "workspace_get"])
def test_where_it_is_asked_for_each_namespace_has_its_durations(spelling: str) -> None:
    world = a_deployment(by_namespace=True)

    world.rest(spelling, key=world.a_key())

    line = only_line(world)
    assert told(line) == {("alpha",): {"ms": line["ms"]}, ("alpha", "workspace"): {"ms": line["ms"]}}


def test_the_time_of_a_figure_is_the_time_of_its_line(deployment: World) -> None:
    deployment.clock.advance(seconds=12.345)

    deployment.rest("workspace.get", key=deployment.a_key())

    assert only_line(deployment)["_aws"]["Timestamp"] == round(deployment.clock().timestamp() * 1000)


@pytest.mark.parametrize(
    ("tool", "arguments", "counted"),
    [
        ("workspace.get", {"wrong": 1}, "refused"),
        ("no.such", {}, "refused"),
        ("labels.list", {}, "failed"),  # there is no table in this world
    ],
)
def test_a_call_that_ends_badly_is_counted_by_whose_fault_it_is(
    deployment: World, tool: str, arguments: dict[str, Any], counted: str
) -> None:
    deployment.rest(tool, arguments, key=deployment.a_key())

    line = json.loads(deployment.log[-1])
    assert told(line)[("alpha",)] == {"ms": line["ms"], counted: 1}


def test_a_call_that_is_asked_back_about_is_no_failure() -> None:
    measures = Measures("alpha", load_catalog().tools)

    told = [measures.end("rpc", "projects.archive", outcome, is_cold=False) for outcome in (ASKED, OK)]

    assert told[0] == told[1] != measures.end("rpc", "projects.archive", "invalid_input", is_cold=False)


def test_a_call_over_the_limit_is_counted_apart(deployment: World) -> None:
    key = deployment.a_key()
    answers = [deployment.rest("workspace.get", key=key).status for _ in range(2000)]

    lines = [json.loads(line) for line in deployment.log]
    limited = [line for line in lines if "limited" in line]

    assert len(limited) == answers.count(429) > 0
    assert not any("refused" in line for line in lines)


@pytest.mark.parametrize("name", ["no.such", "x" * 500, 'a"}\n{"level":"ERROR"', "ping"])
def test_what_callers_write_is_never_a_dimension(deployment: World, name: str) -> None:
    deployment.rest(name, key=deployment.a_key())
    deployment.legacy(name, key=deployment.a_key())

    assert [json.loads(line)["namespace"] for line in deployment.log] == ["protocol", "protocol"]


def test_the_first_call_of_a_process_is_a_cold_start_and_no_other() -> None:
    world = World(options=Options(team="alpha"))

    for _ in range(3):
        world.rest("workspace.get", key=world.a_key())

    assert ["coldStarts" in told(json.loads(line))[("alpha",)] for line in world.log] == [True, False, False]


def test_what_the_router_hands_on_is_counted_by_the_router_alone() -> None:
    world = World(options=Options(team="alpha"))
    world.rest("workspace.get", key=world.a_key())
    call = Call("req_1", Door.RPC, None)
    event = write_invocation("workspace.get", {}, a_caller(workspace_id=world.workspace.id), call)

    world.log.clear()
    world.edge.invoke(event)

    assert "_aws" not in only_line(world)


def test_a_machine_of_ones_own_tells_nothing(world: World) -> None:
    world.rest("workspace.get", key=world.a_key())

    assert "_aws" not in only_line(world)
    assert Settings.read({}).options().team == ""
    assert Settings.read({"FORGE_TEAM": "alpha"}).options().team == "alpha"
