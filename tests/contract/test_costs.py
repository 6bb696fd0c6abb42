"""No call asks more of DynamoDB than its declaration allows."""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import pytest

from forge.contract.effects import Cost
from forge.store.connections import Connections
from forge.store.provision import provision
from forge.testing.instruments import Counter, watched
from forge.testing.world import World
from tests.contract.calls import SAMPLES, every_sample
from tests.contract.stage import ALL_TOOLS, Ready, Sample, Stage, prepare


class Measured(NamedTuple):
    ready: Ready
    used: Cost
    authentications: list[int]
    """Of the first call of a minute, and of the second."""


@pytest.fixture(scope="module")
def measured(connections: Connections) -> Callable[[Sample], Measured]:
    @cache
    def measure(sample: Sample) -> Measured:
        requests = Counter()
        store = provision(connections, f"costs-{SAMPLES.index(sample)}")
        world = World(store=watched(store, requests))
        ready = prepare(sample, Stage(world))
        requests.reset()
        answer = ready.send(world, idempotency_key="once")
        assert answer.status == 200, answer.body
        used = Cost(requests.reads, requests.writes, requests.most_items)
        first = requests.authentications
        requests.reset()
        ready.send(world, idempotency_key="once")
        return Measured(ready, used, [first, requests.authentications])

    return measure


@every_sample
def test_a_call_costs_no_more_than_its_declaration_says(
    sample: Sample, measured: Callable[[Sample], Measured]
) -> None:
    ready, used, authentications = measured(sample)

    allowed = ready.tool.costs
    if ready.tool.name == "catalog.call":
        # A call that calls another costs what the other costs beside its own.
        allowed = allowed.beside(ALL_TOOLS[ready.arguments["name"]].costs)
    assert used.reads <= allowed.reads
    assert used.writes <= allowed.writes
    assert used.items <= allowed.items
    # One request, and two on the first of a minute.
    assert authentications == [2, 1]
