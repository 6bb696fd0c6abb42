"""Figures of days, as they are asked for and as they go out."""

from datetime import date, datetime
from enum import StrEnum
from typing import Annotated

from pydantic import Field, WithJsonSchema

from forge.contract.models import Model, Omittable
from forge.work.overviews.figures.days import MOST_DAYS


def _day(description: str) -> WithJsonSchema:
    return WithJsonSchema({"type": "string", "description": description})


class Days(Model):
    """A range of days, both included; days are UTC's."""

    since: Annotated[
        date | None, _day(f"The first day, as 2026-11-17; 29 days before the last. {MOST_DAYS} days at most.")
    ] = None
    until: Annotated[date | None, _day("The last day; today.")] = None


class CostBy(StrEnum):
    DAY = "DAY"
    AGENT = "AGENT"
    MODEL = "MODEL"
    PROJECT = "PROJECT"
    GOAL = "GOAL"


class ShowCost(Days):
    by: Annotated[CostBy, Field(description="What the sum is told apart by, besides its days.")] = CostBy.DAY


class ShowFlow(Days):
    pass


class Amount(Model):
    usd: float
    tokens_in: int
    tokens_out: int
    runs: int


class CostDay(Amount):
    day: str
    accepted_changes: int


class CostRow(Amount):
    """`id` is null for what belongs to none; `usdByDay` has a number for each day of `days`."""

    id: str | None
    name: str
    usd_by_day: list[float]


class CostFigures(Model):
    """`countedUntil`: what happened later is not counted yet; null: nothing is yet.

    `rows` are the dearest by what was asked for, and `others` what the rest cost together.
    """

    since: str
    until: str
    counted_until: datetime | None
    usd: float
    tokens_in: int
    tokens_out: int
    runs: int
    accepted_changes: int
    usd_per_accepted_change: float | None
    days: list[CostDay]
    rows: Omittable[list[CostRow]] = None
    others: Omittable[Amount] = None


class Reviews(Model):
    passed: int
    failed: int
    pass_rate: float | None


class Answers(Model):
    """What waited for people until they decided it, and for how long."""

    answered: int
    minutes: int
    p50_minutes: int | None
    p90_minutes: int | None


class FlowDay(Model):
    """`inWork`: issues in work at its end, or now; null where nobody looked, or the key is narrowed."""

    day: str
    created: int
    done: int
    accepted_changes: int
    cycle_p50_minutes: int | None
    cycle_p90_minutes: int | None
    passed: int
    failed: int
    answered: int
    waited_minutes: int
    in_work: int | None


class FlowFigures(Model):
    """`countedUntil` as in analytics.cost; a cycle is from an issue's start to its end."""

    since: str
    until: str
    counted_until: datetime | None
    created: int
    done: int
    accepted_changes: int
    cycle_p50_minutes: int | None
    cycle_p90_minutes: int | None
    reviews: Reviews
    people: Answers
    days: list[FlowDay]
