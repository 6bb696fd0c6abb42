"""Faults, one at a time: at the n-th request of a call, in each of the ways that requests fail."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from forge.store.answers import NoAnswer, Refused
from forge.testing.instruments import Parameters, Send


class Fault(StrEnum):
    THROTTLED = "throttled"
    CONTENDED = "contended"
    """Another transaction holds an item: nothing is decided."""
    SERVER_ERROR = "server error"
    TIMED_OUT = "timed out before it happened"
    ANSWER_LOST = "answer lost after it happened"
    CRASHED = "crashed before it happened"
    CRASHED_AFTER = "crashed after it happened"


class ProcessDied(BaseException):
    """Not an Exception: nothing in the product may catch it, as nothing survives a killed process."""


@dataclass(slots=True)
class FaultAt:
    """Fails the request at one position, `times` in a row; the requests before and after it pass."""

    fault: Fault
    position: int
    times: int = 1
    _seen: int = 0
    _failed: int = 0

    def __call__(self, operation: str, parameters: Parameters, send: Send) -> dict[str, Any]:
        is_hit = self._seen >= self.position and self._failed < self.times
        self._seen += 1
        if not is_hit:
            return send(**parameters)
        self._failed += 1
        return _FAILURES[self.fault](operation, parameters, send)

    @property
    def was_hit(self) -> bool:
        return self._failed > 0


def _refused(code: str, status: int) -> Callable[[str, Parameters, Send], dict[str, Any]]:
    def fail(operation: str, parameters: Parameters, send: Send) -> dict[str, Any]:
        raise Refused(code, status=status)

    return fail


def _contended(operation: str, parameters: Parameters, send: Send) -> dict[str, Any]:
    if operation != "TransactWriteItems":
        raise Refused("TransactionConflictException")
    reasons = [{"Code": "TransactionConflict"} for _ in parameters["TransactItems"]]
    raise Refused("TransactionCanceledException", reasons=reasons)


def _timed_out(operation: str, parameters: Parameters, send: Send) -> dict[str, Any]:
    raise NoAnswer("timed out")


def _answer_lost(operation: str, parameters: Parameters, send: Send) -> dict[str, Any]:
    """Whatever it was: a refusal is lost like any other."""
    with suppress(Refused):
        send(**parameters)
    raise NoAnswer("timed out")


def _crashed(operation: str, parameters: Parameters, send: Send) -> dict[str, Any]:
    raise ProcessDied


def _crashed_after(operation: str, parameters: Parameters, send: Send) -> dict[str, Any]:
    send(**parameters)
    raise ProcessDied


_FAILURES = {
    Fault.THROTTLED: _refused("ThrottlingException", 400),
    Fault.CONTENDED: _contended,
    Fault.SERVER_ERROR: _refused("InternalServerError", 500),
    Fault.TIMED_OUT: _timed_out,
    Fault.ANSWER_LOST: _answer_lost,
    Fault.CRASHED: _crashed,
    Fault.CRASHED_AFTER: _crashed_after,
}
