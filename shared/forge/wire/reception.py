"""How doors besides those of tools are answered: the caller is admitted, and one line tells how it went."""

from collections.abc import Callable
from time import perf_counter

from forge.auth.entrance import KeyCheck
from forge.context import Caller, Door
from forge.errors import DomainError
from forge.wire.http import Request, Response, error_response
from forge.wire.journal import Journal
from forge.wire.switchboard import Switchboard


class Visit:
    """A request whose caller is known."""

    __slots__ = ("caller", "request", "waited")

    def __init__(self, request: Request, caller: Caller) -> None:
        self.request = request
        self.caller = caller
        self.waited = 0.0
        """Seconds in which nothing was done: waiting is no work, and must not look like a slow answer."""


class Reception:
    def __init__(self, switchboard: Switchboard, entrance: KeyCheck, journal: Journal) -> None:
        self._switchboard = switchboard
        self._entrance = entrance
        self._journal = journal

    def answered(self, request: Request, operation: str, answer: Callable[[Visit], Response]) -> Response:
        started, now = perf_counter(), self._switchboard.now()
        visit: Visit | None = None
        outcome = "ok"
        try:
            visit = Visit(request, self._entrance.admit(request.headers, Door.REST, now))
            return self._journal.shielded(request.id, answer, visit)
        except DomainError as error:
            outcome = error.code.value
            return error_response(error, request.id)
        finally:
            self._journal.record(
                request.id,
                operation,
                door="rest",
                outcome=outcome,
                now=now,
                started=started + (visit.waited if visit else 0.0),
                caller=visit.caller if visit else None,
            )
