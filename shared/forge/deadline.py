"""When the call at hand must be over, known however deep in it something waits.

The edge begins it with each request, from the time that Lambda leaves, or that a call may take at most. The
store is shared by all calls, and asks here whether it may try again for this one. Outside of calls, in a
script or a test, nothing presses.
"""

from contextvars import ContextVar, Token
from math import inf
from time import monotonic
from typing import Any

CALL_SECONDS = 25.0
_RESERVED_SECONDS = 1.0
"""For the answer and its log line, when Lambda would end the call soon."""

_over_at: ContextVar[float] = ContextVar("over_at", default=inf)


def begin(seconds: float = CALL_SECONDS) -> Token[float]:
    """From now on this call has so long; give what it returns to `end`."""
    return _over_at.set(monotonic() + seconds)


def end(begun: Token[float]) -> None:
    _over_at.reset(begun)


def current() -> float:
    """On the monotonic clock; infinity where no call is under way."""
    return _over_at.get()


def seconds_left() -> float:
    return _over_at.get() - monotonic()


def seconds_on_lambda(context: Any) -> float:
    """What a call may take: never longer than elsewhere, and less where Lambda would end it earlier."""
    remaining = getattr(context, "get_remaining_time_in_millis", None)
    if remaining is None:
        return CALL_SECONDS
    return min(CALL_SECONDS, float(remaining()) / 1000 - _RESERVED_SECONDS)
