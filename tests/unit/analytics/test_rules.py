"""From counts to figures: what is open, what was done when, and what went wrong."""

from datetime import date, timedelta

from forge.testing.builders import a_status, an_issue
from forge.testing.clock import NOON
from forge.work.issues.counts import Breach, breached_on, done_on, in_status
from forge.work.workspace.statuses import StatusCategory, StatusCopy
from functions.analytics.rules.totals import counted, figures, first_day

TODAY = date(2027, 3, 31)
STATUSES = [
    a_status(StatusCategory.TODO, id="todo"),
    a_status(StatusCategory.IN_PROGRESS, id="doing"),
    a_status(StatusCategory.DONE, id="done"),
    a_status(StatusCategory.DONE, id="shipped"),
    a_status(StatusCategory.CANCELED, id="canceled"),
]


def test_canceled_issues_are_neither_open_nor_done() -> None:
    counts = {"S#todo": 1, "S#doing": 2, "S#done": 4, "S#shipped": 8, "S#canceled": 16, "S#unknown": 32}

    found = figures(counts, STATUSES, TODAY)

    assert (found.open_issues, found.done_issues) == (3, 12)
    assert [(status.id, count) for status, count in found.by_status] == [
        ("todo", 1),
        ("doing", 2),
        ("done", 4),
        ("shipped", 8),
        ("canceled", 16),
    ]


def test_a_week_has_seven_days_and_a_month_thirty_today_included() -> None:
    counts = {done_on(TODAY - timedelta(days=ago)): 10**place for place, ago in enumerate((0, 6, 7, 29, 30))}

    found = figures(counts, STATUSES, TODAY)

    assert (found.done_in_week, found.done_in_month) == (11, 1111)
    assert first_day(TODAY) == TODAY - timedelta(days=29)


def test_breaches_are_those_of_the_month_by_their_kind() -> None:
    counts = {
        breached_on(TODAY, Breach.SLA): 1,
        breached_on(TODAY - timedelta(days=29), Breach.SLA): 2,
        breached_on(TODAY - timedelta(days=30), Breach.SLA): 4,
        breached_on(TODAY, Breach.NOACK): 8,
        done_on(TODAY): 16,
    }

    found = figures(counts, STATUSES, TODAY)

    assert found.breaches == {Breach.SLA: 3, Breach.STALLED: 0, Breach.NOACK: 8}
    assert found.done_in_month == 16


def test_issues_that_were_looked_at_count_as_those_that_were_counted() -> None:
    done = an_issue(status_id="done", completed_at=NOON)
    issues = [an_issue(status_id="todo"), done, done.changed(deleted_at=NOON)]

    assert counted(issues) == {in_status("todo"): 1, in_status("done"): 1, done_on(NOON.date()): 1}


def test_without_issues_everything_is_nothing() -> None:
    found = figures({}, list[StatusCopy](), TODAY)

    assert [found.open_issues, found.done_issues, found.done_in_month] == [0, 0, 0]
    assert set(found.breaches.values()) == {0}
