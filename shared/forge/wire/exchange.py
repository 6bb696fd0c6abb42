"""A message on the RPC door, and a result that is answered as it is."""

from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from forge.context import Caller
from forge.wire.http import Request

if TYPE_CHECKING:
    from forge.wire.polling import Glanced

CALL = "catalog.call"
"""The tool that calls any other."""


class Exchange:
    """One message on the RPC door: the request it came with, its caller, and what became of it."""

    __slots__ = (
        "caller",
        "glanced",
        "idempotency_key",
        "now",
        "operation",
        "outcome",
        "place",
        "request",
        "takes_tasks",
    )

    def __init__(
        self,
        request: Request,
        caller: Caller,
        now: datetime,
        idempotency_key: str | None = None,
        place: int | None = None,
    ) -> None:
        self.request = request
        self.caller = caller
        self.now = now
        self.idempotency_key = idempotency_key
        """From the header, which speaks for every message of a batch by its place."""
        self.place = place
        self.takes_tasks = False
        """Whether its client can come back for an answer."""
        self.glanced: Glanced | None = None
        """What was read with the key of a call that is not counted."""
        self.operation = "message"
        self.outcome: str | None = None
        """How it ended, for the log line. Whoever leaves it open has not come back."""


class WholeResult(NamedTuple):
    """A result that is complete as it is, with notifications to stream before it."""

    text: str
    notifications: tuple[str, ...] = ()
