"""Where one workspace stops: each partition, queue, stream and function, in calls a second."""

from collections.abc import Iterator
from dataclasses import dataclass

from forge.testing.simulation.partitions import Order, Physical, steady
from forge.work.background.sweep.outbox import TOGETHER
from infra.scale import services
from infra.scale.recorded import Place, Task
from infra.scale.services import READS, WRITES, Resources
from infra.stack.functions import DISPATCH, WORDS

_REFUSED_AT_MOST = 0.001
_STEP = 0.01
_WORST = 4
"""As many of the limits that are reckoned are simulated: the first is among them."""


@dataclass(frozen=True, slots=True)
class Limit:
    what: str
    calls_a_second: float
    why: str
    is_raised: bool = False
    """By a request to AWS; it is the account's, not of the design."""


@dataclass(frozen=True, slots=True)
class Pressure:
    """What a call asks of one partition key."""

    what: str
    units: float
    order: Order
    physical: Physical

    @property
    def calls_a_second(self) -> float:
        return self.physical.units / self.units


def limits(task: Task, resources: Resources, *, shards: int) -> list[Limit]:
    """Every limit, the first first."""
    found = [Limit(one.what, one.calls_a_second, _why(one)) for one in pressures(task, shards=shards)]
    found += [*_of_table(task), *_of_stream(task, resources, shards), *_of_queues(task, resources)]
    found += [*_of_functions(task)]
    return sorted(found, key=lambda one: one.calls_a_second)


def pressures(task: Task, *, shards: int) -> list[Pressure]:
    """On each partition key that the whole workspace shares, of writes and of reads."""
    found = [one for place in task.places for one in _pressures(place, task, shards)]
    return sorted(found, key=lambda one: one.calls_a_second)


def first_limit(task: Task, *, shards: int) -> tuple[str, float]:
    """Which partition is first to refuse something when calls come by chance, and at which rate."""
    found = [(_simulated(one), one.what) for one in pressures(task, shards=shards)[:_WORST]]
    most, what = min(found)
    return what, most


def _simulated(pressure: Pressure) -> float:
    low, high = 0.0, pressure.calls_a_second * 1.5
    while high - low > _STEP * high:
        rate = (low + high) / 2
        outcome = steady(pressure.units, rate, physical=pressure.physical, order=pressure.order)
        low, high = (rate, high) if outcome.share_refused <= _REFUSED_AT_MOST else (low, rate)
    return low


def _pressures(place: Place, task: Task, shards: int) -> Iterator[Pressure]:
    keys = place.keys * (shards if place.name in services.SHARDED else 1)
    given = [
        ("written", place.written, place.hottest_written, WRITES),
        ("read", place.read, place.hottest_read, READS),
    ]
    for verb, units, hottest, physical in given:
        # A split parts what is spread until one item is left; nothing else helps where keys grow.
        whole = hottest if place.order is Order.SPREADS else units / keys
        if whole:
            order = Order.ITEM if place.order is Order.SPREADS else place.order
            what = f"{place}, {verb}" + (", its hottest item" if place.order is Order.SPREADS else "")
            yield Pressure(what, whole / task.calls, order, physical)


def _why(one: Pressure) -> str:
    return f"{one.units:.2f} units a call, {one.order}"


def _of_table(task: Task) -> Iterator[Limit]:
    for verb, units, first in (
        ("written", task.written, services.TABLE_AT_FIRST_WRITES),
        ("read", task.read, services.TABLE_AT_FIRST_READS),
    ):
        a_call = units / task.calls
        yield Limit(
            f"a new table, {verb}",
            first / a_call,
            f"{a_call:.1f} units a call; doubles in half an hour",
            True,
        )
        yield Limit(
            f"quota of a table, {verb}",
            services.TABLE_QUOTA / a_call,
            f"{services.TABLE_QUOTA:,} units",
            True,
        )


def _of_stream(task: Task, resources: Resources, shards: int) -> Iterator[Limit]:
    relay = services.relay_of(task, resources, stream_shards=shards)
    marks = relay.lanes * relay.together / relay.portion_seconds
    why = f"{relay.lanes} batches at once, {relay.together} marks in {relay.portion_seconds * 1_000:.0f} ms"
    yield Limit("relay", marks * task.calls / task.marks, why)


def _of_queues(task: Task, resources: Resources) -> Iterator[Limit]:
    for queue in (DISPATCH, WORDS):
        taking = services.consumers_of(queue, task, resources)
        a_call = task.messages[queue] / task.calls
        why = f"{taking.at_once} instances, {taking.message_seconds * 1_000:.0f} ms a message"
        yield Limit(f"worker of {queue}", taking.messages_a_second / a_call, why)
        if services.is_fifo(queue):
            together = TOGETHER
            requests = services.send_requests(task, together, queue) / together * task.marks / task.calls
            why = f"{services.FIFO_REQUESTS} requests a second, filled as the relay fills them"
            yield Limit(f"queue of {queue}", services.FIFO_REQUESTS / requests, why)


def _of_functions(task: Task) -> Iterator[Limit]:
    """By MCP, the router waits while the function of the namespace works."""
    seconds = sum(services.seconds_of(one) * one.calls for one in task.tools.values()) / task.calls
    yield Limit(
        "functions, by REST", services.CONCURRENCY / seconds, f"{seconds * 1_000:.0f} ms a call", True
    )
    yield Limit(
        "functions, by MCP", services.CONCURRENCY / (2 * seconds), "router and function at once", True
    )
