"""What is counted follows an issue wherever it goes, and breaches stay on their day."""

from collections import Counter
from datetime import timedelta

import pytest

from forge.store.followers import follow
from forge.testing.builders import an_issue
from forge.testing.clock import NOON
from forge.work.issues import counts
from forge.work.issues.counts import Breach
from forge.work.issues.issues import IssueItem
from tests.workshop.office import Office

TODAY = NOON.date()
TODO, DONE = "S#todo", "S#done"
OPEN = an_issue(status_id="todo", project_id="prj_1")
CLOSED = OPEN.changed(status_id="done", completed_at=NOON)


def read(office: Office, *projects: str) -> Counter[str]:
    table, workspace_id = office.world.services.store.table, office.workspace.id
    found = counts.read(table, workspace_id, projects or None, since=TODAY - timedelta(days=1))
    return Counter({dimension: count for dimension, count in found.items() if count})


def move(office: Office, before: IssueItem | None, after: IssueItem) -> int:
    """Returns how many items it took."""
    tx = office.begin()
    follow(tx, counts.follows(before) if before else (), counts.follows(after))
    tx.close()
    office.commit(tx)
    return len(tx.writes)


@pytest.mark.parametrize(
    ("after", "of_all", "of_first", "of_second"),
    [
        (OPEN, {TODO: 1}, {TODO: 1}, {}),
        (CLOSED, {DONE: 1, f"D#{TODAY}": 1}, {DONE: 1, f"D#{TODAY}": 1}, {}),
        (OPEN.changed(project_id="prj_2"), {TODO: 1}, {}, {TODO: 1}),
        (CLOSED.changed(project_id="prj_2"), {DONE: 1, f"D#{TODAY}": 1}, {}, {DONE: 1, f"D#{TODAY}": 1}),
        (OPEN.changed(project_id=None), {TODO: 1}, {}, {}),
        (OPEN.changed(deleted_at=NOON), {}, {}, {}),
    ],
    ids=["made", "done", "elsewhere", "done elsewhere", "nowhere", "deleted"],
)
def test_an_issue_counts_for_what_it_is_now(
    office: Office,
    after: IssueItem,
    of_all: dict[str, int],
    of_first: dict[str, int],
    of_second: dict[str, int],
) -> None:
    move(office, None, OPEN)

    move(office, OPEN, after)

    assert [read(office), read(office, "prj_1"), read(office, "prj_2")] == [of_all, of_first, of_second]


def test_what_stays_the_same_is_not_written(office: Office) -> None:
    assert move(office, OPEN, OPEN.changed(title="Another")) == 0
    assert move(office, CLOSED, CLOSED.changed(project_id="prj_2")) == 4


def test_an_issue_that_is_opened_again_is_done_no_more(office: Office) -> None:
    for before, after in ((None, OPEN), (OPEN, CLOSED), (CLOSED, OPEN)):
        move(office, before, after)

    assert read(office) == {TODO: 1}


def test_breaches_are_counted_by_day_for_the_workspace_and_the_project(office: Office) -> None:
    for issue in (OPEN, OPEN.changed(project_id=None)):
        tx = office.begin()
        counts.record_breach(tx, issue, Breach.SLA)
        office.commit(tx)

    today = office.world.clock().date()

    assert read(office) == {counts.breached_on(today, Breach.SLA): 2}
    assert read(office, "prj_1", "prj_2") == {counts.breached_on(today, Breach.SLA): 1}


def test_days_before_the_first_that_is_asked_for_are_not_read(office: Office) -> None:
    move(office, None, CLOSED.changed(completed_at=NOON - timedelta(days=2)))

    assert read(office) == {DONE: 1}
