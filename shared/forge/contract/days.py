"""Days and moments as callers write them: a bare date means that day, wherever it is."""

import re
from datetime import UTC, date, datetime, time, tzinfo
from typing import Annotated

from pydantic import BeforeValidator

from forge.contract.models import Time
from forge.errors import InvalidInput

_A_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_LAST_MOMENT = time(23, 59, 59, 999_000)


def _bare_date(given: object) -> object:
    """Otherwise it would be taken for a moment, the midnight of UTC."""
    if isinstance(given, str) and _A_DAY.fullmatch(given.strip()):
        return date.fromisoformat(given.strip())
    return given


DayOrTime = Annotated[Time | date, BeforeValidator(_bare_date)]


def first_moment(given: datetime | date, zone: tzinfo, *, field: str) -> datetime:
    """When it begins for who lives in this zone."""
    return given if isinstance(given, datetime) else _in_utc(given, time(), zone, field)


def last_moment(given: datetime | date, zone: tzinfo, *, field: str) -> datetime:
    """When it ends, to the millisecond, as times are stored."""
    return given if isinstance(given, datetime) else _in_utc(given, _LAST_MOMENT, zone, field)


def require_in_order(first: date | None, last: date | None) -> None:
    """Two bounds of a list: nothing lies between them if they are the wrong way round."""
    if first is not None and last is not None and first > last:
        raise InvalidInput(
            "The list would end before it begins.", issues={"to": "Must not be before `from`."}
        )


def _in_utc(day: date, clock: time, zone: tzinfo, field: str) -> datetime:
    try:
        return datetime.combine(day, clock, zone).astimezone(UTC)
    except OverflowError:
        raise InvalidInput("This day is too far from today.", issues={field: "Too far from today."}) from None
