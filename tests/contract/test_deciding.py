"""What people decide about is changed by nobody who may not decide it, through no tool."""

import json
from typing import NamedTuple

import pytest

from forge.contract.guards import Guarded
from forge.contract.tools import AnyTool
from forge.store.connections import Connections
from forge.store.provision import provision
from forge.store.store import Store
from forge.testing.world import World
from tests.contract.courts import Court, a_court
from tests.contract.dumps import Dump, content, dump, restore
from tests.contract.guarded import ATTEMPTS, EVERYBODY, Attempt
from tests.contract.stage import ALL_TOOLS, Ready, Stage

REFUSED = {403: "forbidden", 404: "not_found", 409: "conflict"}

SUBJECTS = {
    "action-request": Guarded.REQUEST,
    "execution-plan": Guarded.PLAN,
    "execution-step": Guarded.STEP,
    "review-gate": Guarded.GATE,
    "pipeline": Guarded.PIPELINE,
    "agent-crew": Guarded.CREW,
}
"""What an event is about that tells of such a change; runs of the gateway are told by their gates."""


class Sitting(NamedTuple):
    """A court that is set back before each attempt."""

    court: Court
    store: Store
    start: Dump

    def rewind(self) -> Court:
        restore(self.store, self.start, present=dump(self.store))
        return self.court


@pytest.fixture(scope="module")
def sitting(connections: Connections) -> Sitting:
    store = provision(connections, "deciding")
    court = a_court(Stage(World(store=store)))
    return Sitting(court, store, dump(store))


@pytest.mark.parametrize("attempt", ATTEMPTS, ids=str)
def test_who_may_not_decide_is_refused_and_nothing_changed(attempt: Attempt, sitting: Sitting) -> None:
    court = sitting.rewind()
    arguments, tool = attempt.prepare(court), ALL_TOOLS[attempt.tool]
    before = content(sitting.store)

    for who in EVERYBODY:
        if who not in attempt.may:
            answer = Ready(tool, arguments, court.keys[who]).send(court.stage.world)
            assert answer.status in REFUSED, (who, answer.body)
            assert json.loads(answer.body)["error"] in (*REFUSED.values(), "scope_required"), who
            assert content(sitting.store) == before, who

    if attempt.by is not None:
        court.call(attempt.tool, arguments, by=attempt.by)
        assert content(sitting.store) != before


def test_there_is_an_attempt_for_every_tool_that_somebody_has_to_decide_with() -> None:
    declared = {tool.name for tool in ALL_TOOLS.values() if any(guard.by for guard in tool.guards)}

    assert declared == {attempt.tool for attempt in ATTEMPTS}


@pytest.mark.parametrize("tool", [one for one in ALL_TOOLS.values() if one.emits], ids=str)
def test_a_tool_that_tells_of_guarded_state_says_who_may_change_it(tool: AnyTool) -> None:
    told = {SUBJECTS[one.subject] for one in tool.emits if one.subject in SUBJECTS}
    declared = {state for guard in tool.guards for state in guard.states}

    assert told <= declared
    assert all(guard.by or guard.why for guard in tool.guards)
