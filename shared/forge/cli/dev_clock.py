"""A clock that a developer can move forward, to see what falls due."""

from collections.abc import Callable
from datetime import datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from threading import Lock

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from forge.clock import system_now
from forge.errors import DomainError, InvalidInput
from forge.jsontext import BadJson, decode, encode
from forge.wire.hosts import LOOPBACK, require_host
from forge.wire.http import error_response

CLOCK_PATH = "/api/dev/clock"
MAX_STEP_SECONDS = 10 * 365 * 24 * 3600
MAX_AHEAD = timedelta(days=100 * 365)


class DevClock:
    """The machine's time plus what it was advanced by, kept over restarts: it never goes back."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._ahead = timedelta(seconds=_kept_seconds(file))
        self._lock = Lock()

    def __call__(self) -> datetime:
        return system_now() + self._ahead

    def advance(self, seconds: float) -> datetime:
        with self._lock:
            ahead = self._ahead + timedelta(seconds=seconds)
            if ahead > MAX_AHEAD:
                raise InvalidInput(
                    f"The clock is never more than {MAX_AHEAD.days // 365} years ahead.",
                    issues={"advanceSeconds": "Too many. Remove the home folder to start over."},
                )
            draft = self._file.with_name(f"{self._file.name}.draft")
            draft.write_text(str(ahead.total_seconds()))
            draft.replace(self._file)
            self._ahead = ahead
        return self()


def _kept_seconds(file: Path) -> float:
    try:
        return min(max(float(file.read_text()), 0.0), MAX_AHEAD.total_seconds())
    except (OSError, ValueError):
        return 0.0


class Dated:
    """An app whose answers bear the clock's time, so that whoever goes by them goes along with it."""

    def __init__(self, app: ASGIApp, clock: DevClock) -> None:
        self._app = app
        self._clock = clock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def dated(message: Message) -> None:
            if message["type"] == "http.response.start":
                date = format_datetime(self._clock(), usegmt=True).encode()
                message = {**message, "headers": [*message.get("headers", ()), (b"date", date)]}
            await send(message)

        await self._app(scope, receive, dated)


def clock_route(clock: DevClock, run_what_is_due: Callable[[], int]) -> Route:
    """`POST /api/dev/clock {"advanceSeconds": n}`: only on this machine, so without a key."""

    def advance(body: bytes) -> str:
        now = clock.advance(_seconds(body))
        return encode({"now": now.isoformat(), "settled": run_what_is_due()})

    async def endpoint(request: Request) -> Response:
        try:
            require_host(request.headers, LOOPBACK)
            answer = await run_in_threadpool(advance, await request.body())
        except DomainError as error:
            refused = error_response(error, "dev-clock")
            return Response(refused.body, refused.status, dict(refused.headers))
        return Response(answer, media_type="application/json")

    return Route(CLOCK_PATH, endpoint, methods=["POST"])


def _seconds(body: bytes) -> float:
    try:
        given = decode(body)
    except BadJson:
        given = None
    seconds = given.get("advanceSeconds") if isinstance(given, dict) else None
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        seconds = None
    if seconds is None or not 0 <= seconds <= MAX_STEP_SECONDS:
        raise InvalidInput(
            'Send {"advanceSeconds": n}.',
            issues={"advanceSeconds": f"A number from 0 to {MAX_STEP_SECONDS}; the clock never goes back."},
        )
    return float(seconds)
