"""What DynamoDB said, sorted into the three kinds that are never confused.

- A condition failed: somebody else was first, or the caller's picture is old. The write did not happen.
- Contention or throttling: nothing is decided yet. The same request is sent again, for a while.
- No answer: it may have happened. The same request is sent again here, too: it carries a token, or
  happening twice does no harm.
"""

from collections.abc import Callable, Mapping, Sequence
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, TypeVar

from forge.clock import random_between
from forge.errors import Unavailable

if TYPE_CHECKING:
    from botocore.exceptions import ClientError

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
    # Loaded with the first client anyway; at the top it would slow every cold start.
    from botocore.exceptions import BotoCoreError, ClientError

    deadline = clock() + PATIENCE_SECONDS
    wait = _FIRST_PAUSE
    while True:
        try:
            return send()
        except (ClientError, BotoCoreError, Undecided) as error:
            if isinstance(error, ClientError):
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


def _raise_if_decided(error: "ClientError") -> None:
    """Return when it makes sense to ask again; raise what was decided otherwise."""
    code = error.response["Error"]["Code"]
    if code == "ConditionalCheckFailedException":
        raise ConditionFailed(_detail(error, "Item")) from None
    if code == "TransactionCanceledException":
        reasons: list[dict[str, Any]] = _detail(error, "CancellationReasons") or []
        codes = {reason.get("Code") for reason in reasons}
        if _CONDITION_FAILED in codes:
            raise Cancelled(reasons) from None
        if codes & _CANCELLED_BY_CONTENTION:
            return
        raise error
    status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
    if code not in _CONTENTION and code not in _SERVER_FAULTS and status < 500:
        raise error


def _detail(error: "ClientError", name: str) -> Any:
    """What an answer carries beside its code; the type stubs know nothing of it."""
    response: Mapping[str, Any] = error.response
    return response.get(name)
