"""Ten times too much for a minute: what the table lets through, and what becomes of it behind the table."""

from dataclasses import dataclass
from random import Random

from forge.testing.simulation.partitions import HotKey, arrivals
from forge.testing.simulation.relays import Simulation, Told
from infra.scale import services
from infra.scale.limits import first_limit, pressures
from infra.scale.recorded import Task
from infra.scale.services import Resources

TIMES = 10
MINUTE = 60
BEFORE, AFTER = 30, 120
"""Seconds of ordinary work around it."""


@dataclass(frozen=True, slots=True)
class Overloaded:
    usual: float
    """Calls a second before and after it: as many as one workspace can do for long."""
    refused: float
    """The share of calls of the minute that are told to try again."""
    told: Told

    @property
    def seconds_late(self) -> float:
        """From the end of the minute until nothing is late any more."""
        return max(0.0, self.told.lag_gone_at - BEFORE - MINUTE)

    @property
    def words_late(self) -> float:
        """The same of what is found by its words."""
        return max(0.0, self.told.words_late_until - BEFORE - MINUTE)


def overload(
    task: Task, resources: Resources, *, shards: int, kept_seconds: float, seed: int = 1
) -> Overloaded:
    """`kept_seconds` is what the hottest partition has saved up before it begins."""
    _, usual = first_limit(task, shards=shards)
    hottest = pressures(task, shards=shards)[0]
    key = HotKey(hottest.physical, hottest.order, kept_seconds=kept_seconds)
    chance = Random(seed)  # noqa: S311 - chance that is the same in each run
    done: list[float] = []
    asked = refused = 0.0
    for second in range(BEFORE + MINUTE + AFTER):
        is_over = BEFORE <= second < BEFORE + MINUTE
        calls = arrivals(chance, usual * (TIMES if is_over else 1))
        through = key.ask(calls * hottest.units) / hottest.units
        done.append(through)
        if is_over:
            asked += calls
            refused += calls - through
    relay = services.relay_of(task, resources, stream_shards=shards)
    simulation = Simulation(relay, services.words_of(task, resources), seed=seed)
    marks = task.marks / task.calls
    return Overloaded(usual, refused / asked, simulation.run(calls * marks for calls in done))
