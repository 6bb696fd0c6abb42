"""What may be logged, what may be stopped, and what entries come to."""

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from forge.errors import Conflict, InvalidInput, NotFound, PreconditionFailed
from forge.testing.builders import a_workspace
from forge.testing.clock import NOON
from functions.time import rules
from functions.time.repository.entries import RunningTimerItem, TimeEntryItem

HOUR = timedelta(hours=1)


def an_entry(minutes: float = 60, **fields: Any) -> TimeEntryItem:
    usual = {"workspace_id": "ws_1", "id": "time_1", "user_id": "usr_1", "started_at": NOON}
    ended_at = NOON + timedelta(minutes=minutes)
    return TimeEntryItem.model_validate(usual | {"ended_at": ended_at} | fields)


def a_timer(entry_id: str = "time_1") -> RunningTimerItem:
    return RunningTimerItem(workspace_id="ws_1", owner_id="usr_1", entry_id=entry_id)


def period(
    started_at: datetime | None = None, ended_at: datetime | None = None, minutes: int | None = None
) -> rules.Period:
    return rules.period_of(started_at=started_at, ended_at=ended_at, minutes=minutes, now=NOON)


def test_a_length_alone_ends_now_and_with_a_beginning_starts_there() -> None:
    assert period(minutes=60) == (NOON - HOUR, NOON)
    assert period(NOON - 3 * HOUR, minutes=60) == (NOON - 3 * HOUR, NOON - 2 * HOUR)
    assert period(NOON - HOUR, NOON - HOUR / 2) == (NOON - HOUR, NOON - HOUR / 2)


@pytest.mark.parametrize(
    ("given", "blamed"),
    [
        ({}, {"durationMin", "endedAt"}),
        ({"started_at": NOON - HOUR}, {"durationMin", "endedAt"}),
        ({"started_at": NOON - HOUR, "ended_at": NOON, "minutes": 60}, {"durationMin", "endedAt"}),
        ({"ended_at": NOON}, {"startedAt"}),
        ({"started_at": NOON, "ended_at": NOON}, {"endedAt"}),
        ({"started_at": NOON - 25 * HOUR, "ended_at": NOON}, {"endedAt"}),
        ({"started_at": NOON - HOUR, "ended_at": NOON + timedelta(seconds=61)}, {"endedAt"}),
        ({"started_at": NOON, "minutes": 60}, {"startedAt"}),
        ({"started_at": datetime.max.replace(tzinfo=NOON.tzinfo), "minutes": 60}, {"startedAt"}),
    ],
)
def test_what_can_not_have_been_is_refused_and_the_field_named(
    given: dict[str, Any], blamed: set[str]
) -> None:
    with pytest.raises(InvalidInput) as refused:
        period(**given)

    assert set(refused.value.issues or ()) == blamed


def test_a_day_is_the_longest_and_a_clock_may_be_a_minute_ahead() -> None:
    ahead = NOON + timedelta(minutes=1)

    assert period(ahead - 24 * HOUR, ahead) == (ahead - 24 * HOUR, ahead)


def test_a_workspace_that_does_not_track_time_refuses_it() -> None:
    rules.require_enabled(a_workspace(time_tracking_enabled=True))
    with pytest.raises(PreconditionFailed):
        rules.require_enabled(a_workspace())


def test_what_runs_can_be_stopped_by_its_id_or_without() -> None:
    assert rules.running_of(a_timer(), asked=None, entry_id=None) == a_timer()
    assert rules.running_of(a_timer(), asked=an_entry(), entry_id="time_1") == a_timer()


def test_what_does_not_run_can_not_be_stopped() -> None:
    stopped = an_entry(id="time_2")

    with pytest.raises(Conflict):
        rules.running_of(None, asked=None, entry_id=None)
    with pytest.raises(Conflict):
        rules.running_of(a_timer(), asked=stopped, entry_id="time_2")
    with pytest.raises(NotFound):
        rules.running_of(a_timer(), asked=None, entry_id="time_of_somebody_else")


@pytest.mark.parametrize(("minutes", "counted"), [(0.49, 0), (0.5, 1), (1.49, 1), (59.5, 60), (1440, 1440)])
def test_minutes_are_rounded_for_each_entry(minutes: float, counted: int) -> None:
    assert rules.minutes_of(an_entry(minutes)) == counted


def test_an_amount_is_exact_to_the_cent() -> None:
    # 7 / 60 × 0.1 and 45 / 60 × 33.34 = 25.005, which floats would round down.
    assert rules.amount_of(an_entry(7, billable=True, hourly_rate=0.1)) == Decimal("0.01")
    assert rules.amount_of(an_entry(45, billable=True, hourly_rate=33.34)) == Decimal("25.01")


def test_nobody_pays_for_what_is_not_billable_or_has_no_price_or_runs() -> None:
    assert rules.amount_of(an_entry(60, hourly_rate=90)) == 0
    assert rules.amount_of(an_entry(60, billable=True)) == 0
    assert rules.amount_of(an_entry(billable=True, hourly_rate=90, ended_at=None)) == 0


def test_buckets_add_up_to_the_totals_and_come_with_the_most_minutes_first() -> None:
    spent = [
        an_entry(10.4, issue_id="iss_1", billable=True, hourly_rate=10),
        an_entry(10.4, issue_id="iss_1", hourly_rate=10),
        an_entry(20.6, issue_id="iss_2", billable=True, hourly_rate=100.01),
        an_entry(21),
    ]

    totals = rules.summed(spent, lambda entry: entry.issue_id or rules.UNASSIGNED)

    assert totals.buckets == [
        ("iss_2", 21, Decimal("35.00")),
        ("unassigned", 21, Decimal(0)),
        ("iss_1", 20, Decimal("1.67")),
    ]
    assert (totals.minutes, totals.amount) == (62, Decimal("36.67"))


def test_nothing_comes_to_nothing() -> None:
    assert rules.summed([], lambda entry: entry.id) == rules.Totals(0, Decimal(0), [])
