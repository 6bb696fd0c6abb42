"""When an issue is neglected, and when the sweep has to look for that."""

from datetime import timedelta
from typing import Any

import pytest

from forge.contract.terms import EngagementMode
from forge.testing.builders import a_workspace, an_agent, an_issue
from forge.testing.clock import NOON
from forge.work.issues.issues import CLOSED, IssueItem
from forge.work.issues.neglect import neglect
from forge.work.workspace.statuses import StatusCategory
from tests.workshop.outcomes import given_to

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
WATCHING = a_workspace(assignment_sla_minutes=30, sla_enforcement_enabled=True)
WAITING = given_to(an_issue(category="TODO"), an_agent(), EngagementMode.EXECUTE)
PROMISED = an_issue(sla_minutes=90)


def test_assigned_work_that_nobody_touches_stalls_after_its_time() -> None:
    due = NOON + timedelta(minutes=30)

    assert neglect.stalls_at(WAITING, WATCHING) == neglect.watch_at(WAITING, WATCHING) == due
    assert not neglect.has_stalled(WAITING, WATCHING, due - timedelta(seconds=1))
    assert neglect.has_stalled(WAITING, WATCHING, due)


@pytest.mark.parametrize(
    "otherwise",
    [
        {"assigned_agent_id": None},
        {"assignment_mode": EngagementMode.RESEARCH},
        {"category": StatusCategory.IN_PROGRESS},
        {"category": StatusCategory.DONE},
        {"deleted_at": NOON},
    ],
    ids=str,
)
def test_only_work_that_waits_to_be_begun_stalls(otherwise: dict[str, Any]) -> None:
    assert neglect.stalls_at(WAITING.changed(**otherwise), WATCHING) is None


def test_a_stall_is_told_once_an_hour_at_most() -> None:
    told = WAITING.changed(stalled_at=NOON + HOUR)

    assert neglect.stalls_at(told, WATCHING) == NOON + 2 * HOUR
    assert neglect.stalls_at(told.changed(updated_at=NOON + 5 * HOUR), WATCHING) == NOON + 5.5 * HOUR


def test_a_promise_is_broken_when_its_time_is_over_and_told_once_a_day_at_most() -> None:
    due = NOON + timedelta(minutes=90)

    assert neglect.watch_at(PROMISED, WATCHING) == due
    assert (neglect.is_breached(PROMISED, WATCHING, due), neglect.is_breached(PROMISED, WATCHING, NOON)) == (
        True,
        False,
    )
    assert neglect.breaches_at(PROMISED.changed(sla_breached_at=due), WATCHING) == due + DAY
    assert neglect.minutes_over(PROMISED, due + timedelta(seconds=119)) == 1


@pytest.mark.parametrize(
    "issue",
    [an_issue(), *(PROMISED.changed(category=one) for one in sorted(CLOSED))],
    ids=lambda one: one.category,
)
def test_without_a_promise_or_once_closed_nothing_is_broken(issue: IssueItem) -> None:
    assert neglect.watch_at(issue, WATCHING) is None


def test_what_is_switched_off_is_not_looked_for() -> None:
    both = WAITING.changed(sla_minutes=90)

    assert neglect.watch_at(both, a_workspace()) is None
    assert neglect.watch_at(both, WATCHING) == NOON + timedelta(minutes=30)
    assert neglect.watch_at(both, WATCHING.changed(assignment_sla_minutes=0)) == NOON + timedelta(minutes=90)


@pytest.mark.parametrize(
    ("before", "after", "is_earlier"),
    [
        ({"assignment_sla_minutes": 0}, {"assignment_sla_minutes": 30}, True),
        ({"assignment_sla_minutes": 30}, {"assignment_sla_minutes": 20}, True),
        ({"assignment_sla_minutes": 30}, {"assignment_sla_minutes": 40}, False),
        ({"assignment_sla_minutes": 30}, {"assignment_sla_minutes": 0}, False),
        ({"agent_run_stale_minutes": 0}, {"agent_run_stale_minutes": 60}, True),
        ({"abandon_stalled_after_hours": 24}, {"abandon_stalled_after_hours": 1}, True),
        ({"sla_enforcement_enabled": False}, {"sla_enforcement_enabled": True}, True),
        ({"sla_enforcement_enabled": True}, {"sla_enforcement_enabled": False}, False),
        ({"name": "Demo"}, {"name": "Renamed"}, False),
    ],
    ids=str,
)
def test_settings_that_make_something_due_earlier_are_told_apart(
    before: dict[str, Any], after: dict[str, Any], *, is_earlier: bool
) -> None:
    assert neglect.looks_earlier(a_workspace(**before), a_workspace(**after)) is is_earlier
