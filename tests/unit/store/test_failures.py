"""Patience: what is not decided is asked again for a while, what is decided is told at once."""

from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, NoReturn

import pytest

from forge import deadline
from forge.deadline import CALL_SECONDS
from forge.errors import ErrorCode, Unavailable
from forge.store.answers import NoAnswer, Refused
from forge.store.failures import PATIENCE_SECONDS, Cancelled, ConditionFailed, patiently

SILENCE = NoAnswer("nothing came")


@dataclass
class Patience:
    """A clock that only moves when somebody waits, and what was waited and asked on it."""

    now: float = 1000.0
    pauses: list[float] = field(default_factory=list)
    asked_at: list[float] = field(default_factory=list)

    def pause(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.now += seconds

    def send(self, outcome: Callable[[int], object], *, taking: float = 0.0) -> object:
        """Ask until the outcome, given how often it was asked before, is no exception."""

        def ask() -> object:
            self.asked_at.append(self.now)
            self.now += taking
            return outcome(len(self.asked_at) - 1)

        return patiently(ask, pause=self.pause, clock=lambda: self.now)


@pytest.fixture
def patience() -> Patience:
    return Patience()


def cancelled_by(*codes: str) -> Refused:
    return Refused("TransactionCanceledException", reasons=[{"Code": code} for code in codes])


def fails(error: Exception, *, times: int) -> Callable[[int], object]:
    def outcome(asked_before: int) -> object:
        if asked_before < times:
            raise error
        return "answer"

    return outcome


def always(error: Exception) -> Callable[[int], NoReturn]:
    def outcome(asked_before: int) -> NoReturn:
        raise error

    return outcome


IMPATIENT = [
    Refused("ThrottlingException"),
    Refused("ProvisionedThroughputExceededException"),
    Refused("RequestLimitExceeded"),
    Refused("InternalServerError", status=500),
    Refused("ServiceUnavailable", status=503),
    Refused("SlowDown", status=503),
    Refused("SomethingNew", status=502),
    cancelled_by("ThrottlingError", "None"),
    cancelled_by("ThrottlingError", "TransactionConflict"),
    cancelled_by("ProvisionedThroughputExceeded"),
    SILENCE,
]
CONTENTION = [
    Refused("TransactionConflictException"),
    Refused("TransactionInProgressException"),
    cancelled_by("None", "TransactionConflict"),
]
UNDECIDED = [*IMPATIENT, *CONTENTION]
DECIDED = [
    Refused("ValidationException"),
    Refused("AccessDeniedException"),
    Refused("ResourceNotFoundException"),
    Refused("IdempotentParameterMismatchException"),
    cancelled_by("None", "ValidationError"),
    cancelled_by("ItemCollectionSizeLimitExceeded"),
]


def test_what_succeeds_is_asked_once_and_without_waiting(patience: Patience) -> None:
    assert patience.send(lambda asked_before: "answer") == "answer"
    assert (len(patience.asked_at), patience.pauses) == (1, [])


@pytest.mark.parametrize("error", UNDECIDED, ids=str)
def test_what_is_not_decided_is_asked_again(patience: Patience, error: Exception) -> None:
    assert patience.send(fails(error, times=4)) == "answer"
    assert len(patience.asked_at) == 5


@pytest.mark.parametrize("error", [*DECIDED, LookupError("no failure of AWS")], ids=str)
def test_what_is_decided_or_no_failure_of_aws_is_told_at_once(patience: Patience, error: Exception) -> None:
    with pytest.raises(type(error)) as caught:
        patience.send(always(error))

    assert caught.value is error
    assert len(patience.asked_at) == 1


@pytest.mark.parametrize("item", [{"id": {"S": "one"}}, None])
def test_a_failed_condition_is_told_at_once_with_the_item_if_there_is_one(
    patience: Patience, item: dict[str, Any] | None
) -> None:
    with pytest.raises(ConditionFailed) as caught:
        patience.send(always(Refused("ConditionalCheckFailedException", item=item)))

    assert caught.value.old_item == item
    assert len(patience.asked_at) == 1


def test_a_cancelled_transaction_tells_which_conditions_failed() -> None:
    reasons: list[dict[str, Any]] = [
        {"Code": "None"},
        {"Code": "ConditionalCheckFailed", "Item": {"id": {"S": "one"}}},
    ]
    error = Refused("TransactionCanceledException", reasons=reasons)

    with pytest.raises(Cancelled) as caught:
        Patience().send(always(error))

    assert [caught.value.failed(place) for place in range(2)] == [False, True]
    assert caught.value.old_item(1) == {"id": {"S": "one"}}


def test_a_failed_condition_decides_although_another_write_met_contention(patience: Patience) -> None:
    with pytest.raises(Cancelled):
        patience.send(always(cancelled_by("TransactionConflict", "ConditionalCheckFailed")))

    assert len(patience.asked_at) == 1


@pytest.mark.parametrize("error", UNDECIDED, ids=str)
def test_patience_ends_with_a_word_on_when_to_come_back(patience: Patience, error: Exception) -> None:
    with pytest.raises(Unavailable) as caught:
        patience.send(always(error))

    assert caught.value.code is ErrorCode.UNAVAILABLE
    assert caught.value.retryable
    assert caught.value.retry_after_seconds is not None
    assert caught.value.__cause__ is error
    if error in CONTENTION:
        # Who meets only others waits for as long as the call may take.
        assert CALL_SECONDS / 2 < sum(patience.pauses) <= CALL_SECONDS
    else:
        assert sum(patience.pauses) <= PATIENCE_SECONDS
    assert len(patience.asked_at) > 5


@pytest.mark.parametrize("error", UNDECIDED, ids=str)
def test_nothing_is_asked_again_after_the_calls_deadline(error: Exception) -> None:
    patience = Patience(now=monotonic())
    call = deadline.begin(0.5)

    with pytest.raises(Unavailable):
        patience.send(always(error))

    deadline.end(call)
    assert sum(patience.pauses) <= 0.5


def test_a_call_that_is_over_asks_nothing() -> None:
    patience = Patience(now=monotonic())
    call = deadline.begin(-1.0)

    with pytest.raises(Unavailable):
        patience.send(lambda asked_before: "answer")

    deadline.end(call)
    assert patience.asked_at == []


@pytest.mark.parametrize(("taking", "most"), [(2.0, 10), (PATIENCE_SECONDS, 1)])
def test_nothing_is_asked_after_patience_has_ended_however_slow_the_answers(
    patience: Patience, taking: float, most: int
) -> None:
    with pytest.raises(Unavailable):
        patience.send(always(SILENCE), taking=taking)

    assert all(moment - patience.asked_at[0] <= PATIENCE_SECONDS for moment in patience.asked_at)
    assert len(patience.asked_at) <= most


def test_pauses_grow_up_to_a_bound(patience: Patience) -> None:
    with pytest.raises(Unavailable):
        patience.send(always(Refused("ThrottlingException")))

    assert patience.pauses[0] <= 0.04
    assert max(patience.pauses) > 0.04
    assert max(patience.pauses) <= 0.5


def test_two_who_collide_do_not_wait_equally_long() -> None:
    first, second = Patience(), Patience()

    for patience in (first, second):
        with pytest.raises(Unavailable):
            patience.send(always(Refused("ThrottlingException")))

    assert first.pauses != second.pauses
