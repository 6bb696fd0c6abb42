"""A text that names many: all of them are called, each once, whatever dies on the way."""

from collections import Counter as Histogram
from typing import NamedTuple

import pytest

from forge.store.store import Store
from forge.testing.faults import Fault, FaultAt, ProcessDied
from forge.testing.instruments import watched
from forge.testing.world import World
from forge.work.content.comments.mentions import MAX_AGENTS
from forge.work.issues.issues import MAX_LIVE_RUNS
from tests.unit.work.background.continuations.test_archived_agents import sweep_continuations, unfinished
from tests.workshop.comments import a_comment, an_agents_key, comment_events, edit
from tests.workshop.interference import COMMIT, once_before, only
from tests.workshop.issues import an_issue, head, watchers
from tests.workshop.office import Office

AGENTS, PEOPLE = 14, 3


class Crowd(NamedTuple):
    office: Office
    issue_id: str
    agent_ids: list[str]
    user_ids: list[str]
    text: str

    @property
    def everybody(self) -> set[str]:
        return {self.office.owner_id, *self.agent_ids, *self.user_ids}

    def woken(self) -> Histogram[str]:
        return Histogram(wake.agent_id for event in comment_events(self.office) for wake in event.wakes)


def a_crowd(world: World) -> Crowd:
    office = Office(world)
    agents = [office.an_agent(f"agent{number}")["id"] for number in range(AGENTS)]
    people = [office.a_colleague(handle=f"user{number}").id for number in range(PEOPLE)]
    names = [
        *(f"@agent{number}" for number in range(AGENTS)),
        *(f"@user{number}" for number in range(PEOPLE)),
    ]
    return Crowd(office, an_issue(office), agents, people, " ".join(names))


def test_everybody_is_called_and_then_it_is_done(store: Store, stored_world: World) -> None:
    crowd = a_crowd(stored_world)

    a_comment(crowd.office, crowd.issue_id, crowd.text)
    assert list(crowd.woken()) == crowd.agent_ids[:MAX_AGENTS]
    sweep_continuations(store, stored_world)

    assert crowd.woken() == Histogram(crowd.agent_ids)
    assert watchers(crowd.office, crowd.issue_id) == crowd.everybody
    assert unfinished(store, stored_world) == 0


def test_who_finds_no_room_for_a_run_is_told_without_one(store: Store, stored_world: World) -> None:
    crowd = a_crowd(stored_world)
    a_comment(crowd.office, crowd.issue_id, crowd.text)

    sweep_continuations(store, stored_world)

    assert len(head(crowd.office, crowd.issue_id).live_runs) == MAX_LIVE_RUNS
    later = [wake for event in comment_events(crowd.office)[1:] for wake in event.wakes]
    assert {wake.run_id for wake in later} == {None}


@pytest.mark.parametrize("fault", [Fault.CRASHED, Fault.CRASHED_AFTER])
@pytest.mark.parametrize("dies_at", [0, 4, AGENTS - MAX_AGENTS + 1])
def test_killed_half_way_and_resumed_everybody_is_called_once(
    dies_at: int, fault: Fault, store: Store, stored_world: World
) -> None:
    crowd = a_crowd(stored_world)
    a_comment(crowd.office, crowd.issue_id, crowd.text)

    with pytest.raises(ProcessDied):
        sweep_continuations(watched(store, only(COMMIT, FaultAt(fault, dies_at))), stored_world)
    sweep_continuations(store, stored_world)

    assert crowd.woken() == Histogram(crowd.agent_ids)
    assert watchers(crowd.office, crowd.issue_id) == crowd.everybody
    assert unfinished(store, stored_world) == 0


def test_two_at_once_call_everybody_once(store: Store, stored_world: World) -> None:
    crowd = a_crowd(stored_world)
    a_comment(crowd.office, crowd.issue_id, crowd.text)
    other = once_before(COMMIT, lambda: sweep_continuations(store, stored_world))

    sweep_continuations(watched(store, other), stored_world)

    assert crowd.woken() == Histogram(crowd.agent_ids)


def test_an_edit_calls_those_whom_it_adds_and_nobody_again(store: Store, stored_world: World) -> None:
    crowd = a_crowd(stored_world)
    comment = a_comment(crowd.office, crowd.issue_id, "@agent0 @user0")

    edit(crowd.office, comment["id"], crowd.text)
    sweep_continuations(store, stored_world)

    assert crowd.woken() == Histogram(crowd.agent_ids)
    assert watchers(crowd.office, crowd.issue_id) == crowd.everybody


def test_who_is_no_longer_named_is_not_called(store: Store, stored_world: World) -> None:
    crowd = a_crowd(stored_world)
    comment = a_comment(crowd.office, crowd.issue_id, crowd.text)

    edit(crowd.office, comment["id"], crowd.text.replace(f"@agent{AGENTS - 1} ", ""))
    sweep_continuations(store, stored_world)

    assert crowd.woken() == Histogram(crowd.agent_ids[:-1])


def test_a_deleted_comment_calls_nobody_any_more(store: Store, stored_world: World) -> None:
    crowd = a_crowd(stored_world)
    comment = a_comment(crowd.office, crowd.issue_id, crowd.text)

    crowd.office.call("comments.delete", {"id": comment["id"]})
    sweep_continuations(store, stored_world)

    assert crowd.woken() == Histogram(crowd.agent_ids[:MAX_AGENTS])
    assert unfinished(store, stored_world) == 0


def test_an_agent_that_names_itself_is_not_called_and_the_log_says_who_spoke(
    store: Store, stored_world: World
) -> None:
    crowd = a_crowd(stored_world)
    speaker = crowd.agent_ids[-1]

    a_comment(crowd.office, crowd.issue_id, crowd.text, key=an_agents_key(crowd.office, speaker))
    sweep_continuations(store, stored_world)

    assert crowd.woken() == Histogram(crowd.agent_ids[:-1])
    assert {event.actor_agent_id for event in comment_events(crowd.office)} == {speaker}
