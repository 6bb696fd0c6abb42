"""One structured log line per call, and the net that turns a bug into an `internal` error.

The lines name things as the Powertools logger does, so that what reads its lines reads these.
"""

import os
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from time import perf_counter
from typing import TypeVar, TypeVarTuple

from forge.context import Caller
from forge.errors import DomainError, Internal
from forge.jsontext import encode, quote
from forge.wire.measures import Measures, epoch_of
from forge.wire.protocol import ProtocolError

ResultT = TypeVar("ResultT")
Given = TypeVarTuple("Given")

_A_SECOND = timedelta(seconds=1)
_NEVER = datetime.min.replace(tzinfo=UTC)


def write_to_stdout(line: str) -> None:
    """Lambda's runtime flushes each line anyway; straight to the system that costs half as much.

    Wherever stdout leads by now: whoever runs functions may keep the first one for talking to them.
    """
    os.write(sys.stdout.fileno(), f"{line}\n".encode())


class Journal:
    def __init__(
        self,
        now: Callable[[], datetime],
        write: Callable[[str], object] = write_to_stdout,
        measures: Measures | None = None,
    ) -> None:
        self._now = now
        self._write = write
        self._measures = measures
        # Formatting a date is the dearest part of a line, and most lines share their second. One value, so
        # that no thread sees half of it.
        self._second = (_NEVER, _NEVER, "", "")

    def record(
        self,
        request_id: str,
        operation: str,
        *,
        door: str,
        outcome: str,
        now: datetime,
        started: float,
        caller: Caller | None,
    ) -> None:
        """Write the line of one call. Keys, arguments and answers never appear in it."""
        level = "ERROR" if outcome == "internal" else "INFO"
        identity = (
            f',"workspaceId":"{caller.workspace_id}","keyId":"{caller.key_id}"' if caller is not None else ""
        )
        stamp, epoch = self._stamp(now)
        measured = self._measures.end(door, operation, outcome, epoch) if self._measures is not None else ""
        # Only the operation may be the caller's own text, so only it needs quoting.
        self._write(
            f'{{"level":"{level}","message":"call","timestamp":"{stamp}","service":"forge",'
            f'"requestId":"{request_id}","door":"{door}","operation":{quote(operation[:80])},'
            f'"outcome":"{outcome}","ms":{(perf_counter() - started) * 1000:.2f}{identity}{measured}}}'
        )

    def _stamp(self, now: datetime) -> tuple[str, str]:
        """The time for people, and in milliseconds since 1970."""
        second, until, text, epoch = self._second
        if not second <= now < until:
            second = now.replace(microsecond=0)
            text, epoch = second.strftime("%Y-%m-%dT%H:%M:%S"), epoch_of(second)
            self._second = (second, second + _A_SECOND, text, epoch)
        milliseconds = f"{now.microsecond // 1000:03}"
        return f"{text}.{milliseconds}Z", f"{epoch}{milliseconds}"

    def shielded(self, request_id: str, work: Callable[[*Given], ResultT], *given: *Given) -> ResultT:
        """Do the work; log whatever nobody foresaw with its traceback, and tell the caller only the id."""
        try:
            return work(*given)
        except (DomainError, ProtocolError):
            raise
        except Exception:  # noqa: BLE001 - the one net under everything; what it caught is logged
            import traceback  # only failures need it, and the router starts without it

            self._write(
                encode(
                    {
                        "level": "ERROR",
                        "message": "unexpected failure",
                        "timestamp": self._stamp(self._now())[0],
                        "service": "forge",
                        "requestId": request_id,
                        "exception": traceback.format_exc(),
                    }
                )
            )
            raise Internal(
                "Something went wrong on our side.",
                hint=f"Tell an operator the request id {request_id}.",
            ) from None
