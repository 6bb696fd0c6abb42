"""A cycle that is current and full, about to be rolled over; and what can happen to that."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any, NamedTuple

import pytest

from forge.store.store import Store
from forge.testing.faults import FaultAt, ProcessDied
from forge.testing.instruments import Parameters, Send, watched
from forge.testing.world import World
from forge.work.record.continuations.continuations import LATECOMERS
from forge.work.record.log.kinds import EventKind
from tests.unit.work.background.continuations.test_archived_agents import sweep_continuations
from tests.workshop.cycles import a_cycle, an_active_cycle, cycles_of, members, stored_members
from tests.workshop.interference import COMMIT, Handle, Interference, let_pass, once_before, only
from tests.workshop.issues import events, now
from tests.workshop.office import Body, Office

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
    return Sprint(office, interference, source, target, stored_members(office, source, number))


def finish(store: Store, world: World) -> None:
    """Sweeps of some minutes."""
    for _ in range(3):
        sweep_continuations(store, world)
        world.clock.advance(seconds=LATECOMERS.total_seconds())


def before_the_second_commit(act: Callable[[], object]) -> Handle:
    return from_the_second_commit_on(once_before(COMMIT, act))


def from_the_second_commit_on(handle: Handle) -> Handle:
    """The first one is the decision."""
    handles = [let_pass]

    def choose(operation: str, parameters: Parameters, send: Send) -> dict[str, Any]:
        first = handles.pop() if operation == COMMIT and handles else None
        return (first or (let_pass if handles else handle))(operation, parameters, send)

    return choose
