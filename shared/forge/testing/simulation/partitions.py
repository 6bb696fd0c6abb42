"""A partition of DynamoDB that is asked for much: its bucket of units, its bursts, and when it splits."""

from dataclasses import dataclass
from enum import StrEnum
from random import Random


class Order(StrEnum):
    """How the keys of one partition lie that are asked for: what a split can part."""

    ITEM = "one item"
    GROWS = "grows at its end"
    """Whatever is new is behind what was there: after a split, all of it is asked of the last part."""
    SPREADS = "all over"


@dataclass(frozen=True, slots=True)
class Physical:
    """What DynamoDB documents of a physical partition; when it splits one, it does not say."""

    units: float
    burst_seconds: float = 300
    split_after_seconds: float = 600
    """Of being asked for more than it has."""


@dataclass(frozen=True, slots=True)
class Outcome:
    asked: float
    refused: float
    first_refused_at: float | None
    """The second in which it was first too much."""
    parts: int

    @property
    def share_refused(self) -> float:
        return self.refused / self.asked if self.asked else 0.0


class Bucket:
    """Units that are left: as many again each second, kept for a while when nobody wants them."""

    def __init__(self, physical: Physical, *, kept_seconds: float) -> None:
        self._each_second = physical.units
        self._most = physical.units * physical.burst_seconds
        self.units = physical.units * kept_seconds

    def pass_time(self, seconds: float) -> None:
        self.units = min(self._most, self.units + self._each_second * seconds)

    def take(self, units: float) -> float:
        """How many of them there were."""
        taken = min(units, self.units)
        self.units -= taken
        return taken


class HotKey:
    """All that is asked of one partition key, each second; its physical partitions split when they may."""

    def __init__(self, physical: Physical, order: Order, *, kept_seconds: float = 1) -> None:
        self._physical = physical
        self._order = order
        self._buckets = [Bucket(physical, kept_seconds=kept_seconds)]
        self._pressed_seconds = 0
        self._second = 0
        self.asked = self.refused = 0.0
        self.first_refused_at: float | None = None

    def ask(self, units: float) -> float:
        """How many of the units of one second were there."""
        for bucket in self._buckets:
            bucket.pass_time(1)
        # Whoever writes where it grows meets the last part alone.
        asked = self._buckets if self._order is Order.SPREADS else self._buckets[-1:]
        taken = sum(bucket.take(units / len(asked)) for bucket in asked)
        refused = units - taken
        self.asked += units
        self.refused += refused
        if refused > 0 and self.first_refused_at is None:
            self.first_refused_at = self._second
        self._press(units)
        self._second += 1
        return taken

    @property
    def outcome(self) -> Outcome:
        return Outcome(self.asked, self.refused, self.first_refused_at, len(self._buckets))

    def _press(self, units: float) -> None:
        useful = len(self._buckets) if self._order is Order.SPREADS else 1
        is_pressed = units > self._physical.units * useful
        self._pressed_seconds = self._pressed_seconds + 1 if is_pressed else 0
        # What is one item can't be parted; DynamoDB does not even try where keys only grow.
        if self._pressed_seconds >= self._physical.split_after_seconds and self._order is Order.SPREADS:
            self._buckets += [Bucket(self._physical, kept_seconds=0) for _ in self._buckets]
            self._pressed_seconds = 0


def steady(
    units_a_call: float,
    calls_a_second: float,
    *,
    physical: Physical,
    order: Order,
    seconds: int = 300,
    seed: int = 1,
) -> Outcome:
    """Calls that come by chance, on the average so many a second, with nothing saved up."""
    chance = Random(seed)  # noqa: S311 - chance that is the same in each run
    key = HotKey(physical, order)
    for _ in range(seconds):
        key.ask(arrivals(chance, calls_a_second) * units_a_call)
    return key.outcome


def arrivals(chance: Random, mean: float) -> int:
    """How many come in a time in which `mean` come on the average, independent of each other."""
    return max(0, round(chance.gauss(mean, mean**0.5)))
