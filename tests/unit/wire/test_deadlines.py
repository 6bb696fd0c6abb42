"""What can't finish within the call's time is told so, can be repeated, and leaves its log line."""

import json
from dataclasses import dataclass
from typing import Any

import pytest

from forge import deadline
from forge.deadline import CALL_SECONDS, seconds_on_lambda
from forge.store.answers import Refused
from forge.store.store import Store
from forge.testing.instruments import Parameters, Send, watched
from forge.testing.world import World
from forge.wire.aws_lambda import edge_handler
from tests.unit.store.ledger import a_ledger_world
from tests.unit.wire.events import an_event
from tests.workshop.interference import COMMIT, Interference, only


@dataclass
class LambdaContext:
    milliseconds: int

    def get_remaining_time_in_millis(self) -> int:
        return self.milliseconds


def always_moved(operation: str, parameters: Parameters, send: Send) -> dict[str, Any]:
    """As if somebody else had always been quicker."""
    reasons = [{"Code": "ConditionalCheckFailed"} for _ in parameters["TransactItems"]]
    raise Refused("TransactionCanceledException", reasons=reasons)


def always_busy(operation: str, parameters: Parameters, send: Send) -> dict[str, Any]:
    """As if others were always writing the same item."""
    reasons = [{"Code": "TransactionConflict"} for _ in parameters["TransactItems"]]
    raise Refused("TransactionCanceledException", reasons=reasons)


def called(world: World, key: str, *, milliseconds: int) -> dict[str, Any]:
    event = an_event("{}", key=key, path="/api/mcp/ledger.add")
    return edge_handler(world.edge)(event, LambdaContext(milliseconds))


@pytest.mark.parametrize("disturb", [always_moved, always_busy])
def test_a_call_that_gets_no_turn_in_time_is_told_to_come_back(store: Store, disturb: Any) -> None:
    interference = Interference()
    world = a_ledger_world(watched(store, interference))
    key = world.a_key()
    assert called(world, key, milliseconds=26_000)["statusCode"] == 200
    interference.handle = only(COMMIT, disturb)

    answer = called(world, key, milliseconds=1_300)

    assert answer["statusCode"] == 503
    body = json.loads(answer["body"])
    assert (body["error"], body["retryable"]) == ("unavailable", True)
    line = json.loads(world.log[-1])
    assert (line["operation"], line["outcome"]) == ("ledger.add", "unavailable")


def test_a_call_that_lambda_would_end_at_once_asks_nothing_of_the_database(store: Store) -> None:
    world = a_ledger_world(store)

    answer = called(world, world.a_key(), milliseconds=500)

    assert answer["statusCode"] == 503


@pytest.mark.parametrize(
    ("context", "expected"),
    [
        (LambdaContext(26_000), CALL_SECONDS),
        (LambdaContext(900_000), CALL_SECONDS),
        (LambdaContext(5_000), 4.0),
        (None, CALL_SECONDS),
    ],
    ids=["fresh", "a long one", "late", "no Lambda"],
)
def test_a_call_may_take_what_lambda_leaves_but_no_longer_than_elsewhere(
    context: LambdaContext | None, expected: float
) -> None:
    assert seconds_on_lambda(context) == expected


def test_a_deadline_ends_with_its_call() -> None:
    outer = deadline.begin(20)
    inner = deadline.begin(1)
    pressed = deadline.seconds_left()
    deadline.end(inner)
    relaxed = deadline.seconds_left()
    deadline.end(outer)

    assert pressed <= 1 < relaxed <= 20
    assert deadline.current() == float("inf")
