"""Rolling a cycle over with much in it: whatever dies on the way, every issue is in exactly one cycle."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any, NamedTuple

import pytest

from forge.store.store import Store
from forge.testing.builders import an_issue as issue
from forge.testing.clock import NOON
from forge.testing.faults import Fault, FaultAt, ProcessDied
from forge.testing.instruments import Parameters, Send, watched
from forge.testing.world import World
from forge.wire.http import Request
from forge.work.continuations.continuations import LATECOMERS
from forge.work.continuations.rolled_over import CHUNK
from forge.work.log.events import EventKind
from forge.work.planning.cycle_moves import is_taken_along
from forge.work.workspaces.statuses import StatusCategory
from tests.unit.cycles.sprints import (
    a_cycle,
    add,
    an_active_cycle,
    cycles_of,
    members,
    stored_issues,
)
from tests.unit.issues.board import an_issue, events, head, move, now
from tests.unit.office import Body, Office
from tests.unit.store.interference import COMMIT, Handle, Interference, Tally, let_pass, once_before, only
from tests.unit.work.continuations.test_archived_agents import (
    always_overtaken,
    sweep_continuations,
    unfinished,
)

ISSUES = 300


class Sprint(NamedTuple):
    """A cycle that is current and full, and the next one; `interference` is what happens to requests."""

    office: Office
    interference: Interference
    source: str
    target: str
    issue_ids: list[str]

    def roll(self, **wanted: object) -> Body:
        return self.office.call("cycles.rollover", wanted)

    def dies(self, fault: FaultAt) -> None:
        """The process ends while it rolls over."""
        self.interference.handle = only(COMMIT, fault)
        with pytest.raises(ProcessDied):
            self.roll(activateTarget=True)
        self.interference.handle = let_pass

    def assert_each_is_in_one_cycle(self) -> tuple[int, int]:
        """How many are in the source and how many in the target, which are all of them."""
        source, target = members(self.office, self.source), members(self.office, self.target)
        assert source.isdisjoint(target)
        assert source | target == set(self.issue_ids)
        return len(source), len(target)

    def assert_all_moved_once(self) -> None:
        assert self.assert_each_is_in_one_cycle() == (0, len(self.issue_ids))
        assert set(cycles_of(self.office, *self.issue_ids)) == {self.target}
        told = [row.issue_id for row in events(self.office, EventKind.ISSUE_UPDATED)]
        assert sorted(map(str, told)) == sorted(self.issue_ids)
        assert self.office.call("cycles.current")["id"] == self.target


def a_sprint(store: Store, number: int = ISSUES) -> Sprint:
    interference = Interference()
    office = Office(World(store=watched(store, interference)))
    source = an_active_cycle(office)
    target = a_cycle(office, "Sprint 2", startsAt=(now(office) + timedelta(weeks=1)).isoformat())
    return Sprint(office, interference, source, target, stored_issues(office, source, number))


def finish(store: Store, world: World) -> None:
    """Sweeps of some minutes."""
    for _ in range(3):
        sweep_continuations(store, world)
        world.clock.advance(seconds=LATECOMERS.total_seconds())


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
    sprint.interference.handle = _before_the_second_commit(
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

    sprint.interference.handle = _before_the_second_commit(rename)

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
    sprint.interference.handle = _from_the_second_commit_on(always_overtaken(store))

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


def test_an_issue_that_came_late_by_an_earlier_call_is_found_by_the_second_walk(store: Store) -> None:
    sprint = a_sprint(store, 1)
    late = an_issue(sprint.office)
    began = now(sprint.office)
    sprint.roll()
    sprint.office.world.clock.advance(seconds=5)
    tx = sprint.office.begin()
    # As a call leaves it that had begun before the rollover.
    tx.replace(head(sprint.office, late).changed(cycle_id=sprint.source, cycle_since=began))
    store.commit(tx)

    finish(store, sprint.office.world)

    assert cycles_of(sprint.office, late) == [sprint.target]
    assert unfinished(store, sprint.office.world) == 0


def test_what_is_added_afterwards_stays_until_it_is_rolled_over_again(store: Store) -> None:
    sprint = a_sprint(store, 1)
    sprint.roll()
    sprint.office.world.clock.advance(seconds=1)
    late = an_issue(sprint.office)
    add(sprint.office, sprint.source, late)

    finish(store, sprint.office.world)
    assert members(sprint.office, sprint.source) == {late}

    assert sprint.roll()["rolled"] == 1
    assert members(sprint.office, sprint.target) == {late, *sprint.issue_ids}


def test_who_joins_takes_along_what_was_added_since(store: Store) -> None:
    sprint = a_sprint(store, 1)
    sprint.roll()
    sprint.office.world.clock.advance(seconds=1)
    late = an_issue(sprint.office)
    add(sprint.office, sprint.source, late)

    assert sprint.roll()["rolled"] == 2
    assert members(sprint.office, sprint.target) == {late, *sprint.issue_ids}


def test_one_that_is_done_before_its_turn_stays(store: Store) -> None:
    sprint = a_sprint(store, CHUNK + 2)
    sprint.dies(FaultAt(Fault.CRASHED_AFTER, 0))
    (done, other) = sorted(members(sprint.office, sprint.source))
    move(sprint.office, done, "DONE")

    finish(store, sprint.office.world)

    assert cycles_of(sprint.office, done, other) == [sprint.source, sprint.target]


def test_another_target_has_to_wait_for_the_rollover_under_way(store: Store) -> None:
    sprint = a_sprint(store, 1)
    other = a_cycle(sprint.office, "Sprint 3")
    sprint.roll()

    refused = sprint.office.refused("cycles.rollover", {"targetCycleId": other})
    assert refused == (409, "conflict", set())
    finish(store, sprint.office.world)

    assert sprint.roll(targetCycleId=other)["targetCycleId"] == other


def test_a_cycle_may_be_rolled_back_while_it_is_rolled_over(store: Store) -> None:
    sprint = a_sprint(store, 2)
    sprint.roll()
    sprint.office.world.clock.advance(seconds=1)

    assert sprint.roll(fromCycleId=sprint.target, targetCycleId=sprint.source)["rolled"] == 2
    finish(store, sprint.office.world)

    assert sprint.assert_each_is_in_one_cycle() == (2, 0)


def test_only_what_is_open_and_was_there_is_taken_along() -> None:
    def goes(**fields: Any) -> bool:
        return is_taken_along(issue(**{"cycle_id": "cyc_1", **fields}), source_id="cyc_1", decided_at=NOON)

    assert goes()
    assert goes(cycle_since=NOON)
    assert not goes(cycle_since=NOON + timedelta(seconds=1))
    assert not goes(cycle_id="cyc_2")
    assert not goes(deleted_at=NOON)
    assert not any(goes(category=one) for one in (StatusCategory.DONE, StatusCategory.CANCELED))


def _before_the_second_commit(act: Callable[[], object]) -> Handle:
    return _from_the_second_commit_on(once_before(COMMIT, act))


def _from_the_second_commit_on(handle: Handle) -> Handle:
    """The first one is the decision."""
    handles = [let_pass]

    def choose(operation: str, parameters: Parameters, send: Send) -> dict[str, Any]:
        first = handles.pop() if operation == COMMIT and handles else None
        return (first or (let_pass if handles else handle))(operation, parameters, send)

    return choose
