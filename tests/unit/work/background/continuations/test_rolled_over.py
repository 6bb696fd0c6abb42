"""Rolling a cycle over with much in it: whatever dies on the way, every issue is in exactly one cycle."""

import json

import pytest

from forge.store.store import Store
from forge.testing.faults import Fault, FaultAt
from forge.testing.instruments import watched
from forge.wire.http import Request
from forge.work.background.continuations.rolled_over import CHUNK
from tests.unit.work.background.continuations.full_sprints import (
    ISSUES,
    a_sprint,
    before_the_second_commit,
    finish,
    from_the_second_commit_on,
)
from tests.unit.work.background.continuations.test_archived_agents import (
    always_overtaken,
    sweep_continuations,
    unfinished,
)
from tests.workshop.interference import COMMIT, Tally, let_pass, once_before
from tests.workshop.issues import head


def test_three_hundred_issues_move_in_one_call_and_twenty_in_a_transaction(store: Store) -> None:
    sprint, tally = a_sprint(store), Tally()
    sprint.interference.handle = tally

    answer = sprint.roll(activateTarget=True)

    assert answer == {
        "rolled": ISSUES,
        "targetCycleId": sprint.target,
        "sourceCompleted": True,
        "targetActivated": True,
    }
    assert tally.tried.count(COMMIT) == ISSUES // CHUNK
    sprint.assert_all_moved_once()


@pytest.mark.parametrize("fault", [Fault.CRASHED, Fault.CRASHED_AFTER])
def test_killed_half_way_the_sweep_does_the_rest(fault: Fault, store: Store) -> None:
    sprint = a_sprint(store)

    sprint.dies(FaultAt(fault, 7))
    waiting, moved = sprint.assert_each_is_in_one_cycle()
    assert waiting > 0
    assert moved > 0
    finish(store, sprint.office.world)

    sprint.assert_all_moved_once()
    assert unfinished(store, sprint.office.world) == 0


@pytest.mark.parametrize("dies_at", [0, 1, 2])
@pytest.mark.parametrize("fault", [Fault.CRASHED, Fault.CRASHED_AFTER])
def test_killed_anywhere_and_called_again_it_is_done_once(fault: Fault, dies_at: int, store: Store) -> None:
    sprint = a_sprint(store, 2 * CHUNK + 5)

    sprint.dies(FaultAt(fault, dies_at))
    sprint.assert_each_is_in_one_cycle()
    answer = sprint.roll(activateTarget=True)

    assert (answer["rolled"], answer["targetCycleId"]) == (len(sprint.issue_ids), sprint.target)
    sprint.assert_all_moved_once()
    assert len(sprint.office.rows("cycles.list")) == 2


def test_the_sweep_and_the_call_at_once_do_everything_once(store: Store) -> None:
    sprint = a_sprint(store, 3 * CHUNK)
    sprint.interference.handle = before_the_second_commit(
        lambda: sweep_continuations(store, sprint.office.world)
    )

    answer = sprint.roll(activateTarget=True)

    assert answer["rolled"] == len(sprint.issue_ids)
    sprint.assert_all_moved_once()


def test_two_sweeps_at_once_do_everything_once(store: Store) -> None:
    sprint = a_sprint(store, 3 * CHUNK)
    sprint.dies(FaultAt(Fault.CRASHED_AFTER, 0))
    other = once_before(COMMIT, lambda: sweep_continuations(store, sprint.office.world))

    sweep_continuations(watched(store, other), sprint.office.world)
    finish(store, sprint.office.world)

    sprint.assert_all_moved_once()


def test_one_that_somebody_changes_meanwhile_keeps_the_others_not_back(store: Store) -> None:
    sprint = a_sprint(store, 2 * CHUNK)
    last = head(sprint.office, sprint.issue_ids[-1])

    def rename() -> None:
        tx = sprint.office.begin()
        tx.replace(last.changed(title="Another title"))
        store.commit(tx)

    sprint.interference.handle = before_the_second_commit(rename)

    assert sprint.roll(activateTarget=True)["rolled"] == 2 * CHUNK

    sprint.assert_all_moved_once()
    assert head(sprint.office, last.id).title == "Another title"


def test_what_others_keep_changing_remains_and_is_moved_by_a_later_walk(store: Store) -> None:
    sprint = a_sprint(store, CHUNK + 2)
    sprint.dies(FaultAt(Fault.CRASHED_AFTER, 0))

    sweep_continuations(watched(store, always_overtaken(store)), sprint.office.world)
    assert sprint.assert_each_is_in_one_cycle() == (2, CHUNK)
    finish(store, sprint.office.world)

    sprint.assert_all_moved_once()


def test_the_call_itself_says_that_they_remain(store: Store) -> None:
    sprint = a_sprint(store, CHUNK + 2)
    sprint.interference.handle = from_the_second_commit_on(always_overtaken(store))

    answer = sprint.roll(activateTarget=True)

    assert (answer["rolled"], answer["remaining"]) == (CHUNK, 2)
    sprint.interference.handle = let_pass
    finish(store, sprint.office.world)
    sprint.assert_all_moved_once()


def test_a_call_whose_time_is_nearly_over_says_what_remains(store: Store) -> None:
    sprint = a_sprint(store, 3 * CHUNK)
    request = Request(
        method="POST",
        path="/api/mcp/cycles.rollover",
        headers={"authorization": f"Bearer {sprint.office.owner_key}"},
        body=json.dumps({"activateTarget": True}),
        id="req_1",
        query={},
    )

    answer = json.loads(sprint.office.world.edge.handle(request, seconds=4.5).body)

    assert (answer["rolled"], answer["remaining"]) == (CHUNK, 2 * CHUNK)
    finish(store, sprint.office.world)
    sprint.assert_all_moved_once()
