"""What happens to the issues of a cycle while it is rolled over, and which of them are taken along."""

from datetime import timedelta
from typing import Any

from forge.store.store import Store
from forge.testing.builders import an_issue as issue
from forge.testing.clock import NOON
from forge.testing.faults import Fault, FaultAt
from forge.work.background.continuations.rolled_over import CHUNK
from forge.work.content.cycles.cycles import is_taken_along
from forge.work.workspace.statuses import StatusCategory
from tests.unit.work.background.continuations.full_sprints import a_sprint, finish
from tests.unit.work.background.continuations.test_archived_agents import unfinished
from tests.workshop.cycles import add, cycles_of, members
from tests.workshop.issues import an_issue, head, move, now


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
