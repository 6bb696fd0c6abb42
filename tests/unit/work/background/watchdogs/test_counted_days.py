"""Figures of days: each row of the log is counted once, whatever happens to whoever counts."""

from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest

from forge.store.transactions import VersionMoved
from forge.testing.instruments import watched
from forge.work.background.watchdogs import counted_days
from forge.work.background.watchdogs.counted_days import SETTLED_AFTER
from forge.work.overviews.figures.days import Flowed, FlowedItem, Spending, SpentBy, SpentItem
from forge.work.overviews.figures.spans import class_of
from forge.work.workspace.reading_on import ReadUpToItem
from forge.work.workspace.workers import Worker
from tests.unit.work.background.watchdogs.offices import later
from tests.workshop.interference import COMMIT, Handle, let_pass, once_before
from tests.workshop.issues import a_project, an_issue, move
from tests.workshop.office import Office
from tests.workshop.requests import asked
from tests.workshop.runs import Engagement, engaged


@pytest.fixture(autouse=True)
def at_noon(office: Office) -> None:
    """No test begins on one day and ends on another, unless it says so."""
    now = office.world.clock()
    until_noon = (now.replace(hour=12, minute=0) - now) % timedelta(days=1)
    office.world.clock.advance(seconds=until_noon.total_seconds())


def today(office: Office) -> str:
    return str(office.world.clock().date())


def worker_of(office: Office, handle: Handle = let_pass) -> Worker:
    store = watched(office.world.services.store, handle)
    return Worker(store, office.world.clock, office.world.ids)


def count(office: Office, **time: float) -> None:
    """Time passes, until all that happened is counted."""
    office.world.clock.advance(**(time or {"minutes": 31}))
    key = ReadUpToItem.at(office.workspace.id)
    while place(office).look_at <= office.world.clock():
        counted_days.look(worker_of(office), key)


def place(office: Office) -> ReadUpToItem:
    key = ReadUpToItem.at(office.workspace.id)
    return office.world.services.store.table.get(ReadUpToItem, key, missing=LookupError())  # type: ignore[arg-type]


def spent(office: Office, by: SpentBy = SpentBy.AGENT, day: str = "") -> dict[str, Spending]:
    day = day or today(office)
    found = office.world.services.store.table.find(SpentItem, SpentItem.at(office.workspace.id, by, day))
    return found.parts if found else {}


def flowed(office: Office) -> dict[str, Flowed]:
    place = FlowedItem.at(office.workspace.id, today(office))
    found = office.world.services.store.table.find(FlowedItem, place)
    return found.parts if found else {}


def a_done_run(office: Office, usd: float = 0.5, **more: Any) -> Engagement:
    worker = engaged(office, **more)
    worker.call("runs.recordUsage", {"tokensIn": 100, "costUsd": usd / 2})
    worker.call("runs.complete", {"summary": "Done.", "usage": {"tokensIn": 300, "costUsd": usd}})
    return worker


def test_what_a_run_used_is_counted_as_it_says_so_and_once(office: Office) -> None:
    worker = engaged(office)
    worker.call("runs.recordUsage", {"tokensIn": 100, "tokensOut": 10, "costUsd": 0.25, "model": "large"})
    count(office)
    begun = spent(office)[worker.agent_id]

    worker.call("runs.recordUsage", {"tokensIn": 300, "costUsd": 0.75})
    worker.call("runs.complete", {"summary": "Done.", "usage": {"costUsd": 1.0}})
    count(office)
    worker.call("runs.recordUsage", {"costUsd": 1.25})
    count(office)

    assert begun == Spending(usd=0.25, tokens_in=100, tokens_out=10)
    assert spent(office)[worker.agent_id] == Spending(usd=1.25, tokens_in=300, tokens_out=10, runs=1)
    assert spent(office, SpentBy.MODEL) == {"large": Spending(usd=1.25, tokens_in=300, tokens_out=10, runs=1)}


def test_costs_are_told_apart_by_agent_project_and_day(office: Office) -> None:
    project, first_day = a_project(office), today(office)
    first = a_done_run(office, 1.0, projectId=project)
    count(office, days=1)
    second = a_done_run(office, 2.0)
    count(office)

    assert {name: part.usd for name, part in spent(office, day=first_day).items()} == {first.agent_id: 1.0}
    assert {name: part.usd for name, part in spent(office).items()} == {second.agent_id: 2.0}
    assert [*spent(office, SpentBy.PROJECT, first_day)] == [project]
    assert [*spent(office, SpentBy.PROJECT)] == ["-"]


def test_what_got_done_is_counted_with_how_long_it_took_and_by_whom(office: Office) -> None:
    worker = a_done_run(office)
    office.world.clock.advance(minutes=60)
    move(office, worker.issue_id, "DONE")
    move(office, an_issue(office), "DONE")
    count(office)

    (part,) = flowed(office).values()
    assert (part.created, part.done, part.accepted) == (2, 2, 1)
    assert part.cycle == {class_of(timedelta(minutes=60)): 1}


def test_how_long_people_let_others_wait_is_counted_when_they_decide(office: Office) -> None:
    request_id = asked(office)
    office.world.clock.advance(minutes=90)
    office.call("actionRequests.transition", {"id": request_id, "status": "DISMISSED"})
    count(office)

    (part,) = flowed(office).values()
    assert (part.answered, part.waited_minutes) == (1, 90)


def test_verdicts_of_reviewers_are_counted(office: Office) -> None:
    for verdict in ("APPROVE", "APPROVE", "REQUEST_CHANGES"):
        engaged(office, "REVIEW").call("runs.complete", {"summary": "Read.", "verdict": verdict})
    count(office)

    (part,) = flowed(office).values()
    assert (part.passed, part.failed) == (2, 1)


def test_a_row_that_comes_late_is_counted(office: Office) -> None:
    """It says when its call began, which may be before what others wrote meanwhile."""
    an_issue(office)
    late = office.world.clock()
    office.world.clock.advance(seconds=SETTLED_AFTER.total_seconds() - 1)
    an_issue(office)
    counted_days.look(worker_of(office), ReadUpToItem.at(office.workspace.id))

    assert place(office).until is None or place(office).until < late  # type: ignore[operator]


def test_who_counts_twice_changes_nothing(office: Office) -> None:
    a_done_run(office)
    count(office)
    before = (spent(office), flowed(office))

    for _ in range(3):
        count(office)

    assert (spent(office), flowed(office)) == before


def test_of_two_who_count_at_once_one_is_overtaken(office: Office) -> None:
    a_done_run(office)
    office.world.clock.advance(minutes=31)
    key = ReadUpToItem.at(office.workspace.id)
    first = once_before(COMMIT, lambda: counted_days.look(worker_of(office), key))

    with pytest.raises(VersionMoved):
        counted_days.look(worker_of(office, first), key)
    count(office)

    assert [part.usd for part in spent(office).values()] == [0.5]


def test_who_dies_before_it_is_stored_has_counted_nothing(office: Office) -> None:
    a_done_run(office)
    office.world.clock.advance(minutes=31)

    def die() -> None:
        raise KeyboardInterrupt

    with suppress(KeyboardInterrupt):
        counted_days.look(worker_of(office, once_before(COMMIT, die)), ReadUpToItem.at(office.workspace.id))
    nothing = spent(office)
    count(office)

    assert (nothing, [part.usd for part in spent(office).values()]) == ({}, [0.5])


def test_a_workspace_without_figures_gets_them_when_something_of_it_is_due(office: Office) -> None:
    a_done_run(office)
    tx = office.begin()
    tx.delete(place(office))
    office.commit(tx)

    counted_days.begin_where_missing(worker_of(office), [office.workspace.id])
    counted_days.begin_where_missing(worker_of(office), [office.workspace.id])
    count(office)

    assert [part.usd for part in spent(office).values()] == [0.5]


def test_more_than_one_stretch_is_counted_in_one_look(office: Office) -> None:
    for _ in range(45):
        an_issue(office)
    later(office, minutes=31)

    (part,) = flowed(office).values()
    assert part.created == 45


def test_a_row_that_nobody_can_read_keeps_none_behind_it_from_being_counted(office: Office) -> None:
    store = office.world.services.store
    office.call("labels.create", {"name": "bug"})
    row = office.log()[-1]
    store.table.assign(row.key, {"created_at": "long ago"}, only_if={"id": row.id})
    an_issue(office)
    count(office)

    (part,) = flowed(office).values()
    assert part.created == 1
