"""What DynamoDB said, sorted into the three kinds that are never confused.

- A condition failed: somebody else was first, or the caller's picture is old. The write did not happen.
- Contention or throttling: nothing is decided yet. The same request is sent again, for a while.
- No answer: it may have happened. The same request is sent again here, too: it carries a token, or
  happening twice does no harm.
"""

from collections.abc import Callable, Sequence
from time import monotonic, sleep
from typing import Any, TypeVar

from forge.clock import random_between
from forge.errors import Unavailable
from forge.store.answers import NoAnswer, Refused

ResultT = TypeVar("ResultT")

PATIENCE_SECONDS = 3.0
_FIRST_PAUSE, _LONGEST_PAUSE = 0.02, 0.5

_CONTENTION = frozenset(
    {
        "ProvisionedThroughputExceededException",
        "RequestLimitExceeded",
        "ThrottlingException",
        "TransactionConflictException",
        "TransactionInProgressException",
    }
)
_SERVER_FAULTS = frozenset({"InternalServerError", "InternalFailure", "ServiceUnavailable"})
_CANCELLED_BY_CONTENTION = frozenset(
    {"TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"}
)
_CONDITION_FAILED = "ConditionalCheckFailed"


class Cancelled(Exception):
    """A transaction that did not happen because conditions failed."""

    def __init__(self, reasons: Sequence[dict[str, Any]]) -> None:
        super().__init__("the transaction was cancelled")
        self.reasons = reasons

    def failed(self, position: int) -> bool:
        return self.reasons[position].get("Code") == _CONDITION_FAILED

    def old_item(self, position: int) -> dict[str, Any] | None:
        return self.reasons[position].get("Item")


class Undecided(Exception):
    """An answer that leaves something out for now: ask again."""


class ConditionFailed(Exception):
    """A single write whose condition failed, with the item as it is."""

    def __init__(self, old_item: dict[str, Any] | None) -> None:
        super().__init__("the condition failed")
        self.old_item = old_item


def patiently(
    send: Callable[[], ResultT],
    *,
    pause: Callable[[float], object] = sleep,
    clock: Callable[[], float] = monotonic,
) -> ResultT:
    """Send a request that is safe to repeat until it is decided, or say that it could not be."""
    deadline = clock() + PATIENCE_SECONDS
    wait = _FIRST_PAUSE
    while True:
        try:
            return send()
        except (Refused, NoAnswer, Undecided) as error:
            if isinstance(error, Refused):
                _raise_if_decided(error)
            reason = error
        if clock() + wait > deadline:
            raise Unavailable(
                "The database could not be reached in time.",
                hint="Try again in a few seconds, with the same idempotency key if you gave one.",
                retry_after_seconds=2,
            ) from reason
        pause(random_between(wait / 2, wait))
        wait = min(wait * 2, _LONGEST_PAUSE)


def _raise_if_decided(refusal: Refused) -> None:
    """Return when it makes sense to ask again; raise what was decided otherwise."""
    if refusal.code == "ConditionalCheckFailedException":
        raise ConditionFailed(refusal.item) from None
    if refusal.code == "TransactionCanceledException":
        codes = {reason.get("Code") for reason in refusal.reasons}
        if _CONDITION_FAILED in codes:
            raise Cancelled(refusal.reasons) from None
        if codes & _CANCELLED_BY_CONTENTION:
            return
        raise refusal
    if refusal.code not in _CONTENTION and refusal.code not in _SERVER_FAULTS and refusal.status < 500:
        raise refusal
