"""What DynamoDB said, sorted into the three kinds that are never confused.

- A condition failed: somebody else was first, or the caller's picture is old. The write did not happen.
- Contention or throttling: nothing is decided yet. The same request is sent again: for a while when AWS has
  too much to do, until the call's deadline when others are only writing the same items.
- No answer: it may have happened. The same request is sent again here, too: it carries a token, or
  happening twice does no harm.
"""

from collections.abc import Callable, Sequence
from time import monotonic, sleep
from typing import Any, TypeVar, TypeVarTuple

from forge import deadline
from forge.clock import full_jitter
from forge.errors import Unavailable
from forge.store.answers import NoAnswer, Refused

ResultT = TypeVar("ResultT")
Given = TypeVarTuple("Given")
Pause = Callable[[float], object]
"""Waits so many seconds before a request is sent again."""

PATIENCE_SECONDS = 3.0
"""With a database that is slow, throttles, or does not answer."""
_FIRST_PAUSE, _LONGEST_PAUSE = 0.04, 0.5

_THROTTLED = frozenset(
    {"ProvisionedThroughputExceededException", "RequestLimitExceeded", "ThrottlingException"}
)
_SERVER_FAULTS = frozenset({"InternalServerError", "InternalFailure", "ServiceUnavailable"})
NO_ROOM = "NoRoomOnDisk"
"""The code of the embedded AWS for a change that its disk did not take."""
_CONTENTION = frozenset({"TransactionConflictException", "TransactionInProgressException"})
_CANCELLED_BY_THROTTLING = frozenset({"ThrottlingError", "ProvisionedThroughputExceeded"})
_CANCELLED_BY_CONTENTION = "TransactionConflict"
_CONDITION_FAILED = "ConditionalCheckFailed"
_MAKE_ROOM = "Make room on the disk of this machine, then try again. What only reads goes on meanwhile."


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
    send: Callable[[*Given], ResultT],
    *given: *Given,
    pause: Pause = sleep,
    clock: Callable[[], float] = monotonic,
) -> ResultT:
    """Send a request that is safe to repeat until it is decided, or say that it could not be."""
    began, attempt = clock(), 0
    over_at = min(deadline.current(), began + deadline.CALL_SECONDS)
    if began >= over_at:
        raise _not_in_time()
    while True:
        try:
            return send(*given)
        except (Refused, NoAnswer, Undecided) as error:
            patience = _patience_with(error)
            reason = error
        wait = full_jitter(attempt, first=_FIRST_PAUSE, longest=_LONGEST_PAUSE)
        if clock() + wait > min(over_at, began + patience):
            raise _not_in_time() from reason
        pause(wait)
        attempt += 1


def lacks_room(error: Unavailable) -> bool:
    """Whether it is the disk of the one machine that takes no change."""
    return isinstance(error.__cause__, Refused) and error.__cause__.code == NO_ROOM


def _not_in_time() -> Unavailable:
    return Unavailable(
        "The database could not be reached in time.",
        hint="Try again in a few seconds, with the same idempotency key if you gave one.",
        retry_after_seconds=2,
    )


def _patience_with(error: Refused | NoAnswer | Undecided) -> float:
    """For how long it makes sense to ask again; what was decided is raised."""
    if not isinstance(error, Refused):
        return PATIENCE_SECONDS
    if error.code == NO_ROOM:
        raise Unavailable(error.message, hint=_MAKE_ROOM, retry_after_seconds=5) from error
    if error.code == "ConditionalCheckFailedException":
        raise ConditionFailed(error.item) from None
    if error.code == "TransactionCanceledException":
        return _patience_with_cancellation(error)
    if error.code in _CONTENTION:
        return deadline.CALL_SECONDS
    if error.code in _THROTTLED or error.code in _SERVER_FAULTS or error.status >= 500:
        return PATIENCE_SECONDS
    raise error


def _patience_with_cancellation(refusal: Refused) -> float:
    codes = {reason.get("Code") for reason in refusal.reasons}
    if _CONDITION_FAILED in codes:
        raise Cancelled(refusal.reasons) from None
    if codes & _CANCELLED_BY_THROTTLING:
        return PATIENCE_SECONDS
    if _CANCELLED_BY_CONTENTION in codes:
        return deadline.CALL_SECONDS
    raise refusal
