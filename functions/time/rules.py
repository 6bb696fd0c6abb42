"""What time entries may be and what they come to, without a table or a clock."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import NamedTuple

from forge.errors import Conflict, InvalidInput, NotFound, PreconditionFailed
from forge.work.workspace.workspaces import WorkspaceItem
from functions.time.repository.entries import RunningTimerItem, TimeEntryItem

LONGEST = timedelta(hours=24)
SKEW = timedelta(minutes=1)
"""By how much a caller's clock may be ahead of ours."""

UNASSIGNED = "unassigned"
_CENT, _MINUTE = Decimal("0.01"), timedelta(minutes=1)


class Period(NamedTuple):
    started_at: datetime
    ended_at: datetime


class Sum(NamedTuple):
    """Of some entries under one key."""

    key: str
    minutes: int
    amount: Decimal


class Totals(NamedTuple):
    minutes: int
    amount: Decimal
    buckets: Sequence[Sum]


def require_enabled(workspace: WorkspaceItem) -> None:
    if not workspace.time_tracking_enabled:
        raise PreconditionFailed(
            "This workspace does not track time.",
            hint='An admin turns it on: workspaces.update {"timeTrackingEnabled": true}.',
        )


def period_of(
    *, started_at: datetime | None, ended_at: datetime | None, minutes: int | None, now: datetime
) -> Period:
    """From when to when a logged entry was: by its end or by how long it took, and never both."""
    if (ended_at is None) is (minutes is None):
        wrong = "Give durationMin or endedAt, and only one of them."
        raise InvalidInput("Say how long it took, in one way.", issues=dict.fromkeys(_LENGTH, wrong))
    if started_at is None and minutes is None:
        raise InvalidInput("endedAt needs startedAt.", issues={"startedAt": "Say when it began."})
    took = timedelta(minutes=minutes) if minutes is not None else None
    began = started_at if started_at is not None else now - (took or timedelta())
    blamed = "endedAt" if took is None else "startedAt"
    try:
        period = Period(began, ended_at if took is None and ended_at else began + (took or timedelta()))
    except OverflowError:
        raise _bad_time(blamed, "Too far from today.") from None
    _require_sensible(period, blamed=blamed, now=now)
    return period


def running_of(
    timer: RunningTimerItem | None, *, asked: TimeEntryItem | None, entry_id: str | None
) -> RunningTimerItem:
    """The timer to stop, which is the one that was asked for; `asked` is the caller's own of that id."""
    if entry_id is not None and asked is None:
        raise NotFound(
            f"You have no time entry {entry_id[:60]!r}.", hint="time.running shows the one that runs."
        )
    if timer is None or (asked is not None and timer.entry_id != asked.id):
        raise Conflict(
            "This entry was stopped already." if asked else "You have no timer running.",
            hint="time.list shows what was recorded; time.log adds what was not.",
        )
    return timer


def minutes_of(entry: TimeEntryItem) -> int:
    """To the nearest one, each entry for itself: so lines, buckets and totals always add up."""
    if entry.ended_at is None:
        return 0
    return int((entry.ended_at - entry.started_at + _MINUTE / 2) // _MINUTE)


def amount_of(entry: TimeEntryItem) -> Decimal:
    """What its minutes cost, to the cent; nothing where nobody pays or no price was said."""
    if not entry.billable or entry.hourly_rate is None:
        return Decimal(0)
    exact = Decimal(minutes_of(entry)) * Decimal(str(entry.hourly_rate)) / 60
    return exact.quantize(_CENT, ROUND_HALF_UP)


def summed(entries: Iterable[TimeEntryItem], key_of: Callable[[TimeEntryItem], str]) -> Totals:
    """Minutes and amounts by key, the most minutes first."""
    by_key: dict[str, Sum] = {}
    for entry in entries:
        key = key_of(entry)
        known = by_key.get(key, Sum(key, 0, Decimal(0)))
        by_key[key] = Sum(key, known.minutes + minutes_of(entry), known.amount + amount_of(entry))
    buckets = sorted(by_key.values(), key=lambda one: (-one.minutes, one.key))
    return Totals(
        sum(one.minutes for one in buckets), sum((one.amount for one in buckets), Decimal(0)), buckets
    )


_LENGTH = ("durationMin", "endedAt")


def _require_sensible(period: Period, *, blamed: str, now: datetime) -> None:
    if period.ended_at <= period.started_at:
        raise _bad_time(blamed, "Must be after startedAt.")
    if period.ended_at - period.started_at > LONGEST:
        raise _bad_time(blamed, "An entry is 24 hours at most; log one for each day.")
    if period.ended_at > now + SKEW:
        raise _bad_time(blamed, "Time is logged when it is over, and this is in the future.")


def _bad_time(field: str, why: str) -> InvalidInput:
    return InvalidInput("This time can't be logged.", issues={field: why})
