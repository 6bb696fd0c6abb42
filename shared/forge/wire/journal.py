"""One structured log line per call, and the net that turns a bug into an `internal` error.

The lines name things as the Powertools logger does, so that what reads its lines reads these.
"""

import os
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import lru_cache
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
        # Once in each copy, also in those that are restored from one snapshot.
        self._is_cold = True
        # Operations may be words of callers, so no more than so many are kept.
        self._words = lru_cache(maxsize=1024)(self._prepared)
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
        is_cold, self._is_cold = self._is_cold, False
        head, words, measured = self._words(door, operation[:80], outcome, is_cold)
        identity = (
            f',"workspaceId":"{caller.workspace_id}","keyId":"{caller.key_id}"' if caller is not None else ""
        )
        second, epoch = self._second_of(now)
        # With its zeros; to format it with them takes three times as long, 1 % of a call.
        milliseconds = str(1000 + now.microsecond // 1000)[1:]
        end = f"{epoch}{milliseconds}}}}}" if measured else "}"
        self._write(
            f'{head}{second}.{milliseconds}Z","service":"forge","requestId":"{request_id}"{words}'
            f"{(perf_counter() - started) * 1000:.2f}{identity}{measured}{end}"
        )

    def _prepared(self, door: str, operation: str, outcome: str, is_cold: bool) -> tuple[str, str, str]:
        """What a line says besides times and ids, which is the same for all calls that end alike."""
        level = "ERROR" if outcome == "internal" else "INFO"
        measures = self._measures
        return (
            f'{{"level":"{level}","message":"call","timestamp":"',
            # Only the operation may be the caller's own text, so only it needs quoting.
            f',"door":"{door}","operation":{quote(operation)},"outcome":"{outcome}","ms":',
            measures.end(door, operation, outcome, is_cold=is_cold) if measures is not None else "",
        )

    def _second_of(self, now: datetime) -> tuple[str, str]:
        """The second for people, and since 1970."""
        second, until, text, epoch = self._second
        if not second <= now < until:
            second = now.replace(microsecond=0)
            text, epoch = second.strftime("%Y-%m-%dT%H:%M:%S"), epoch_of(second)
            self._second = (second, second + _A_SECOND, text, epoch)
        return text, epoch

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
                        "timestamp": self._now().isoformat(timespec="milliseconds").replace("+00:00", "Z"),
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
