"""True of every tool that asks back, and of every argument that may have more than one meaning.

Whoever can be asked is asked once, and nothing is done before they said yes; everybody else goes on as ever.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from forge.contract.questions import CONFIRM
from forge.contract.references import Kind
from forge.contract.terms import Surface
from forge.store.connections import Connections
from forge.store.provision import provision
from forge.store.store import Store
from forge.testing.world import World
from forge.wire.asking import LIFETIME
from forge.wire.protocol import META_CAPABILITIES
from tests.contract.calls import samples_of
from tests.contract.courts import a_court
from tests.contract.dumps import changes, dump
from tests.contract.samples.plans import running
from tests.contract.stage import ALL_TOOLS, Arguments, Stage, prepare

Case = Callable[[Stage], Arguments]


def _crowd(stage: Stage) -> Arguments:
    """More than are moved without a word."""
    ids = [stage.call("issues.create", {"title": f"Number {n}"})["id"] for n in range(41)]
    return {"ids": ids, "statusId": "Canceled"}


def _project(stage: Stage) -> Arguments:
    project = stage.a_project()
    stage.call("issues.create", {"title": "Open", "projectId": project})
    return {"id": project}


def _goal(stage: Stage) -> Arguments:
    plan, _ = running(stage)
    return {"id": stage.call("executionPlans.get", {"id": plan})["goalId"]}


CASES: Mapping[str, Case] = {
    "goals.abandon": _goal,
    "issues.bulkTransition": _crowd,
    "projects.archive": _project,
}
CONFIRMING = pytest.mark.parametrize("tool", CASES)
FORM: dict[str, Any] = {"elicitation": {"form": {}}}
YES = {"action": "accept", "content": {CONFIRM: True}}


@pytest.fixture(scope="session")
def store(connections: Connections) -> Store:
    return provision(connections, "asked-back")


@pytest.fixture(scope="session")
def world(store: Store) -> World:
    return World(store=store)


@pytest.fixture
def stage(world: World) -> Stage:
    """A workspace of each test's own: names are alike in none but it."""
    return Stage(world, world.add_workspace(f"asked{world.ids('n')[-6:]}"))


def said(
    stage: Stage,
    tool: str,
    arguments: Arguments,
    *,
    key: str = "",
    can: Mapping[str, Any] = FORM,
    **more: Any,
) -> dict[str, Any]:
    """What the client is told: a result, or the error of the protocol."""
    used = key or stage.world.owner_key(stage.workspace)
    params = {"name": tool, "arguments": arguments, "_meta": {META_CAPABILITIES: can}, **more}
    told = json.loads(stage.world.modern("tools/call", params, key=used).body)
    return dict(told.get("result") or told["error"])


def answered(asked: Mapping[str, Any], response: Mapping[str, Any]) -> dict[str, Any]:
    (name,) = asked["inputRequests"]
    return {"requestState": asked["requestState"], "inputResponses": {name: response}}


def test_every_tool_that_asks_back_is_asked_here() -> None:
    assert CASES.keys() == {tool.name for tool in ALL_TOOLS.values() if tool.confirms}
    assert all(ALL_TOOLS[name].surface is Surface.MCP for name in CASES)


@CONFIRMING
def test_who_can_be_asked_is_asked_and_nothing_is_done_before_the_yes(
    tool: str, stage: Stage, store: Store
) -> None:
    arguments = CASES[tool](stage)
    before = dump(store)

    asked = said(stage, tool, arguments)
    untouched = changes(before, dump(store))
    done = said(stage, tool, arguments, **answered(asked, YES))

    assert asked["resultType"] == "input_required"
    form = asked["inputRequests"][CONFIRM]
    assert form["method"] == "elicitation/create"
    assert form["params"]["requestedSchema"]["properties"].keys() == {CONFIRM}
    assert untouched == []
    assert (done["resultType"], done["isError"]) == ("complete", False)
    assert changes(before, dump(store)) != []


@CONFIRMING
@pytest.mark.parametrize(
    "response",
    [{"action": "cancel"}, {"action": "decline"}, {"action": "accept", "content": {CONFIRM: False}}],
)
def test_a_no_or_nobody_there_is_an_error_that_names_the_argument(
    tool: str, response: dict[str, Any], stage: Stage, store: Store
) -> None:
    arguments = CASES[tool](stage)
    asked = said(stage, tool, arguments)
    before = dump(store)

    refused = said(stage, tool, arguments, **answered(asked, response))
    untouched = changes(before, dump(store))
    done = said(stage, tool, {**arguments, CONFIRM: True})

    assert refused["isError"] is True
    assert refused["structuredContent"]["issues"].keys() == {CONFIRM}
    assert untouched == []
    assert done["isError"] is False


@CONFIRMING
@pytest.mark.parametrize("can", [{}, {"elicitation": {"url": {}}}, {"sampling": {}}])
def test_who_can_not_be_asked_is_not_held_up(tool: str, can: dict[str, Any], stage: Stage) -> None:
    assert said(stage, tool, CASES[tool](stage), can=can)["isError"] is False


@CONFIRMING
def test_neither_the_legacy_era_nor_rest_nor_a_call_for_another_tool_asks(tool: str, stage: Stage) -> None:
    key = stage.world.owner_key(stage.workspace)
    params = {"name": tool, "arguments": CASES[tool](stage), "_meta": {META_CAPABILITIES: FORM}}

    legacy = json.loads(stage.world.legacy("tools/call", params, key=key).body)["result"]

    assert legacy["isError"] is False
    assert stage.call(tool, CASES[tool](stage))
    for sample in samples_of(tool):
        ready = prepare(sample, stage)
        assert ready.send(stage.world).status == 200


@CONFIRMING
def test_what_catalog_call_calls_asks_as_if_it_was_called_itself(tool: str, stage: Stage) -> None:
    arguments = {"name": tool, "arguments": CASES[tool](stage)}

    asked = said(stage, "catalog.call", arguments)
    done = said(stage, "catalog.call", arguments, **answered(asked, YES))

    assert asked["inputRequests"].keys() == {CONFIRM}
    assert done["isError"] is False


@CONFIRMING
def test_a_yes_is_for_one_call_of_one_key_and_for_a_while(tool: str, stage: Stage) -> None:
    arguments, others = CASES[tool](stage), CASES[tool](stage)
    asked = said(stage, tool, arguments)
    yes = answered(asked, YES)
    stranger = stage.world.a_key(user_id=stage.owner_id(), workspace=stage.workspace)
    another = next(name for name in CASES if name != tool)

    refused = [
        said(stage, tool, others, **yes),
        said(stage, tool, arguments, key=stranger, **yes),
        said(stage, another, arguments, **yes),
        said(stage, tool, arguments, **yes | {"requestState": asked["requestState"][:-2] + "AA"}),
        said(stage, tool, arguments, **yes | {"requestState": 7}),
    ]
    stage.world.clock.advance(seconds=LIFETIME.total_seconds() + 1)
    late = said(stage, tool, arguments, **yes)

    assert {one["code"] for one in refused} == {-32602}
    assert late["resultType"] == "input_required"


@CONFIRMING
def test_what_is_missing_is_asked_again_and_what_nobody_asked_is_ignored(tool: str, stage: Stage) -> None:
    arguments = CASES[tool](stage)
    asked = said(stage, tool, arguments)

    again = said(stage, tool, arguments, requestState=asked["requestState"])
    other = said(stage, tool, arguments, **answered(asked, YES) | {"inputResponses": {"other": YES}})
    odd = said(stage, tool, arguments, **answered(asked, {"action": "accept", "content": {CONFIRM: "so"}}))

    assert {one["resultType"] for one in (again, other, odd)} == {"input_required"}


def test_an_agent_s_client_says_yes_for_nobody_who_has_to_decide(connections: Connections) -> None:
    court = a_court(Stage(World(store=provision(connections, "asked-in-court"))))
    court.gate(requiredRole="ADMIN")
    goal, agent = {"id": court.goal_id}, court.keys["planner"]

    told = said(court.stage, "goals.abandon", goal, key=agent)
    confirmed = said(court.stage, "goals.abandon", {**goal, CONFIRM: True}, key=agent)

    assert told.get("resultType") != "input_required"
    assert told["isError"] is confirmed["isError"] is True


AMBIGUOUS = (Kind.PROJECT, Kind.INITIATIVE, Kind.RUNTIME)
"""What may have the name of another."""
FIELDS = [
    (tool.name, field)
    for tool in ALL_TOOLS.values()
    if tool.surface is Surface.MCP and samples_of(tool.name)
    for field in tool.references
    if field.kind in AMBIGUOUS
]


@pytest.mark.parametrize(("tool", "field"), FIELDS, ids=lambda one: str(getattr(one, "name", one)))
def test_a_name_that_several_have_is_asked_about_wherever_one_can_be_given(
    tool: str, field: Any, stage: Stage
) -> None:
    named = [_named_alike(stage, field.kind) for _ in range(2)]
    ready = prepare(samples_of(tool)[0], stage)
    arguments = {**ready.arguments, field.alias: ["Alike"] if field.is_many else "Alike"}

    asked = said(stage, tool, arguments, key=ready.key)
    refused = said(stage, tool, arguments, key=ready.key, can={})

    schema = asked["inputRequests"][field.alias]["params"]["requestedSchema"]["properties"][field.alias]
    assert set(named) <= {choice["const"] for choice in schema["oneOf"]}
    assert refused["isError"] is True
    assert field.alias in refused["structuredContent"]["issues"]


def _named_alike(stage: Stage, kind: Kind) -> str:
    if kind is Kind.PROJECT:
        made = stage.a_project()
        stage.call("projects.update", {"id": made, "name": "Alike"})
    elif kind is Kind.INITIATIVE:
        made = stage.an_initiative()
        stage.call("initiatives.update", {"id": made, "name": "Alike"})
    else:
        made = str(stage.call("runtimes.register", {"name": "Alike", "kind": "LOCAL_DAEMON"})["id"])
    return made


def test_of_two_words_one_after_the_other_is_asked_and_both_answers_count(stage: Stage) -> None:
    projects = [_named_alike(stage, Kind.PROJECT) for _ in range(2)]
    initiatives = [_named_alike(stage, Kind.INITIATIVE) for _ in range(2)]
    arguments = {"id": "Alike", "initiativeId": "Alike"}

    first = said(stage, "projects.update", arguments)
    second = said(stage, "projects.update", arguments, **answered(first, _chosen(first, projects[0])))
    done = said(stage, "projects.update", arguments, **answered(second, _chosen(second, initiatives[1])))

    assert done["structuredContent"]["id"] == projects[0]
    assert done["structuredContent"]["initiativeId"] == initiatives[1]


def _chosen(asked: Mapping[str, Any], value: str) -> dict[str, Any]:
    (name,) = asked["inputRequests"]
    return {"action": "accept", "content": {name: value}}


def test_only_one_of_the_choices_is_taken(stage: Stage) -> None:
    for _ in range(2):
        _named_alike(stage, Kind.PROJECT)
    order = {"title": "Where to", "projectId": "Alike"}
    asked = said(stage, "issues.create", order)

    again = said(stage, "issues.create", order, **answered(asked, _chosen(asked, stage.a_project())))
    nobody = said(stage, "issues.create", order, **answered(asked, {"action": "cancel"}))

    assert again["resultType"] == "input_required"
    assert "projectId" in nobody["structuredContent"]["issues"]
