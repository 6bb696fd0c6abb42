"""No call asks more of DynamoDB than its row in the decision on keys and indexes allows."""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import pytest

from forge.contract.terms import Effect
from forge.contract.tools import AnyTool
from forge.store.connections import Connections
from forge.store.provision import provision
from forge.testing.instruments import Counter, watched
from forge.testing.world import World
from tests.contract.budgets import DECISION, Budget, budgets, row_name, rows
from tests.contract.calls import SAMPLES, every_sample
from tests.contract.stage import ALL_TOOLS, Ready, Sample, Stage, prepare

every_tool = pytest.mark.parametrize("tool", ALL_TOOLS.values(), ids=str)


def budget_of(ready: Ready) -> Budget:
    """A call that calls another has the other's budget beside its own."""
    own = budgets()[row_name(ready.tool)]
    if ready.tool.name != "catalog.call":
        return own
    return own.beside(budgets()[ready.arguments["name"]])


@every_tool
def test_a_tool_has_a_row(tool: AnyTool) -> None:
    assert row_name(tool) in budgets(), f"add a row for {row_name(tool)} to {DECISION.name}"


def test_a_tool_has_one_row() -> None:
    names = [name for name, _ in rows()]

    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    "tool", [tool for tool in ALL_TOOLS.values() if tool.effect is Effect.READ_ONLY], ids=str
)
def test_the_row_of_a_tool_that_only_reads_has_no_writes(tool: AnyTool) -> None:
    budget = budgets()[row_name(tool)]

    assert (budget.writes, budget.items) == (0, 0)


class Measured(NamedTuple):
    ready: Ready
    used: Budget
    authentications: list[int]
    """Of the first call of a minute, and of the second."""


@pytest.fixture(scope="module")
def measured(connections: Connections) -> Callable[[Sample], Measured]:
    @cache
    def measure(sample: Sample) -> Measured:
        requests = Counter()
        store = provision(connections, f"budgets-{SAMPLES.index(sample)}")
        world = World(store=watched(store, requests))
        ready = prepare(sample, Stage(world))
        requests.reset()
        answer = ready.send(world, idempotency_key="once")
        assert answer.status == 200, answer.body
        used = Budget(requests.reads, requests.writes, requests.most_items)
        first = requests.authentications
        requests.reset()
        ready.send(world, idempotency_key="once")
        return Measured(ready, used, [first, requests.authentications])

    return measure


@every_sample
def test_a_call_stays_within_its_row(sample: Sample, measured: Callable[[Sample], Measured]) -> None:
    ready, used, _ = measured(sample)

    allowed = budget_of(ready)
    assert used.reads <= allowed.reads
    assert used.writes <= allowed.writes
    assert used.items <= allowed.items


@every_sample
def test_authentication_is_one_request_and_two_on_the_first_of_a_minute(
    sample: Sample, measured: Callable[[Sample], Measured]
) -> None:
    assert measured(sample).authentications == [2, 1]
