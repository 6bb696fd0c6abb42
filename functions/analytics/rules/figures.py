"""Figures of a range of days, from the rows of each."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import NamedTuple, TypeVar

from forge.context import Caller
from forge.errors import Forbidden, InvalidInput
from forge.work.overviews.figures.days import (
    MOST_DAYS,
    NONE,
    OTHERS,
    Flowed,
    FlowedItem,
    Spending,
    SpentItem,
    days_between,
)
from forge.work.overviews.figures.spans import Spans, percentile, together

SHOWN = 20
"""The dearest of what costs are told apart by; the rest is one sum."""
_DEFAULT_DAYS = 30
_EXACT = 6
_HALF, _MOST = 0.5, 0.9

PartT = TypeVar("PartT", Spending, Flowed)


class Priced(NamedTuple):
    """What one agent, model, project or goal cost, in all and on each day."""

    name: str
    total: Spending
    by_day: list[float]


class Costs(NamedTuple):
    total: Spending
    by_day: list[tuple[str, Spending, int]]
    """With how many changes were accepted."""
    accepted: int
    dearest: list[Priced]
    others: Spending | None

    @property
    def per_accepted(self) -> float | None:
        return round(self.total.usd / self.accepted, _EXACT) if self.accepted else None


class Flow(NamedTuple):
    day: str
    sum: Flowed
    in_work: int | None

    @property
    def cycle(self) -> tuple[int | None, int | None]:
        return halves(self.sum.cycle)


def days_of(since: date | None, until: date | None, today: date) -> list[str]:
    """The days that are asked for, of which none is to come."""
    last = min(until or today, today)
    first = since or last - timedelta(days=_DEFAULT_DAYS - 1)
    if first > last:
        raise InvalidInput(
            "The first day is after the last.",
            issues={"since": f"Give a day up to {last}, which is the last."},
        )
    if (last - first).days >= MOST_DAYS:
        earliest = last - timedelta(days=MOST_DAYS - 1)
        raise InvalidInput(
            f"A range has at most {MOST_DAYS} days.", issues={"since": f"The earliest is {earliest}."}
        )
    return days_between(first, last)


def projects_seen(caller: Caller) -> frozenset[str] | None:
    """The projects whose figures the caller sees; None for all, and for what has none."""
    narrowing = caller.narrowing
    if narrowing.label_ids or narrowing.issue_ids:
        raise Forbidden(
            "Days are counted by project, and this key is narrowed to labels or issues.",
            hint="Use a key that is narrowed to projects, or to nothing; analytics.summary takes this one.",
        )
    return narrowing.project_ids or None


def require_told_by_project(by: str) -> None:
    """Of a key that sees some projects: nothing else is counted for these alone."""
    if by not in ("DAY", "PROJECT"):
        raise Forbidden(
            f"Costs by {by} are those of the whole workspace, and this key is narrowed to projects.",
            hint='Ask for {"by": "DAY"} or {"by": "PROJECT"}, which are told for its projects alone.',
        )


def costs(
    days: Sequence[str],
    spent: Mapping[str, SpentItem],
    flowed: Mapping[str, FlowedItem],
    *,
    projects: frozenset[str] | None,
) -> Costs:
    parts = [_seen(spent[day].parts, projects) if day in spent else {} for day in days]
    accepted = [_flow_of(flowed.get(day), projects).accepted for day in days]
    names = list(dict.fromkeys(name for one in parts for name in one))
    priced = [
        Priced(name, spent_in(one.get(name) for one in parts), [_usd(one.get(name)) for one in parts])
        for name in names
    ]
    in_order = sorted(priced, key=lambda one: (one.name == OTHERS, -one.total.usd, one.name))
    dearest = [one for one in in_order[:SHOWN] if one.name != OTHERS]
    rest = [one.total for one in in_order if one not in dearest]
    sums = [spent_in(one.values()) for one in parts]
    return Costs(
        spent_in(sums),
        [*zip(days, sums, accepted, strict=True)],
        sum(accepted),
        dearest,
        spent_in(rest) if rest else None,
    )


def flows(
    days: Sequence[str], flowed: Mapping[str, FlowedItem], *, projects: frozenset[str] | None
) -> list[Flow]:
    """By day; what is in work is counted for the whole workspace alone."""
    return [
        Flow(
            day,
            _flow_of(flowed.get(day), projects),
            flowed[day].in_work if day in flowed and projects is None else None,
        )
        for day in days
    ]


def spent_in(parts: Iterable[Spending | None]) -> Spending:
    there = [one for one in parts if one is not None]
    return Spending(
        usd=round(sum(one.usd for one in there), _EXACT),
        tokens_in=sum(one.tokens_in for one in there),
        tokens_out=sum(one.tokens_out for one in there),
        runs=sum(one.runs for one in there),
    )


def flowed_in(parts: Iterable[Flowed]) -> Flowed:
    there = [*parts]
    return Flowed(
        created=sum(one.created for one in there),
        done=sum(one.done for one in there),
        accepted=sum(one.accepted for one in there),
        cycle=together(one.cycle for one in there),
        passed=sum(one.passed for one in there),
        failed=sum(one.failed for one in there),
        answered=sum(one.answered for one in there),
        waited=together(one.waited for one in there),
        waited_minutes=sum(one.waited_minutes for one in there),
    )


def halves(spans: Spans) -> tuple[int | None, int | None]:
    """What half of all took at most, and what nine of ten did."""
    return percentile(spans, _HALF), percentile(spans, _MOST)


def pass_rate(flow: Flowed) -> float | None:
    judged = flow.passed + flow.failed
    return round(flow.passed / judged, 3) if judged else None


def _flow_of(row: FlowedItem | None, projects: frozenset[str] | None) -> Flowed:
    return flowed_in(_seen(row.parts, projects).values() if row else ())


def _seen(parts: Mapping[str, PartT], projects: frozenset[str] | None) -> Mapping[str, PartT]:
    if projects is None:
        return parts
    return {name: one for name, one in parts.items() if name in projects and name not in (NONE, OTHERS)}


def _usd(part: Spending | None) -> float:
    return part.usd if part else 0
