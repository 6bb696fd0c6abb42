"""How often a delivery is tried, when, and what each try makes of it. Pure."""

from datetime import datetime, timedelta
from enum import StrEnum
from math import ceil
from typing import NamedTuple

from forge.errors import Conflict
from forge.work.background.deliveries.deliveries import LONGEST_DELAY, OPEN, DeliveryItem, DeliveryStatus

MOST_TRIES = 6
FIRST_WAIT, GROWTH = timedelta(seconds=30), 4
KEPT_OF_RESPONSE = 8_000

_SHORTER_BY = 0.25
_NOT_KNOWN = "Whoever tried last did not live to tell how it went."


class Turn(StrEnum):
    NOW = "now"
    OVER = "over"
    TAKEN = "taken"
    EARLY = "early"
    SPENT = "spent"


class Result(NamedTuple):
    """How a try went: what came back, with 0 where nothing did."""

    status: int
    said: str
    is_final: bool = False
    """There is nobody to be told, or nobody may be: trying again changes nothing."""

    @property
    def is_success(self) -> bool:
        return 200 <= self.status < 300


LOST = Result(0, _NOT_KNOWN, is_final=True)


def turn(delivery: DeliveryItem, now: datetime) -> Turn:
    """Whether it is time to try, as the row is now, whatever a message says."""
    if delivery.status not in OPEN:
        return Turn.OVER
    if delivery.is_leased(now):
        return Turn.TAKEN
    if delivery.attempt >= MOST_TRIES:
        return Turn.SPENT
    return Turn.EARLY if delivery.scheduled_at > now else Turn.NOW


def settled(delivery: DeliveryItem, result: Result, *, now: datetime, chance: float) -> DeliveryItem:
    """What a try has made of it: delivered, to be tried again later, or given up."""
    tried = delivery.changed(
        response_status=result.status,
        response_body=result.said[:KEPT_OF_RESPONSE],
        leased_until=None,
        look_at=None,
    )
    if result.is_success:
        return tried.changed(status=DeliveryStatus.SUCCESS, delivered_at=now)
    if result.is_final or delivery.attempt >= MOST_TRIES:
        return tried.changed(status=DeliveryStatus.DEAD_LETTER)
    later = now + wait_after(delivery.attempt, chance)
    return tried.changed(status=DeliveryStatus.FAILED, scheduled_at=later, look_at=later)


def wait_after(attempt: int, chance: float) -> timedelta:
    """Four times as long each time, but for a part of it by chance, so that not all come back at once."""
    longest: timedelta = FIRST_WAIT * GROWTH ** (attempt - 1)
    return longest * (1 - _SHORTER_BY * chance)


def delay_before(delivery: DeliveryItem, now: datetime) -> int | None:
    """How long a message has to wait to come in time for the next try; None where SQS can't wait so long."""
    seconds = ceil((delivery.scheduled_at - now).total_seconds()) + 1
    return max(seconds, 0) if seconds <= LONGEST_DELAY else None


def replayed(delivery: DeliveryItem, now: datetime) -> DeliveryItem:
    """As if it had never been tried; only for what has failed."""
    if delivery.status not in (DeliveryStatus.FAILED, DeliveryStatus.DEAD_LETTER):
        raise Conflict(
            f"This delivery is {delivery.status}: only a FAILED or DEAD_LETTER one is tried again.",
            hint='webhookDeliveries.list {"status": "DEAD_LETTER"} shows what was given up.',
        )
    if turn(delivery, now) is Turn.TAKEN:
        raise Conflict("This delivery is being tried at this moment.", hint="See how it goes, in a minute.")
    return delivery.changed(
        status=DeliveryStatus.PENDING,
        attempt=0,
        response_status=None,
        response_body=None,
        scheduled_at=now,
        leased_until=None,
        look_at=now,
        delivered_at=None,
    )
