"""`/healthz` on one machine: it also tells whether the embedded AWS is there."""

from collections.abc import Callable

from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from forge.wire.paths import HEALTH_PATH


class Health:
    """The usual answer, unless there is a problem."""

    def __init__(self, well: ASGIApp, problem: Callable[[], str | None]) -> None:
        self._well = well
        self._problem = problem

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        reason = self._problem()
        if reason is None:
            await self._well(scope, receive, send)
            return
        told = {"status": "unavailable", "reason": reason}
        response = JSONResponse(told, 503, {"retry-after": "1", "cache-control": "no-store"})
        await response(scope, receive, send)


def health_route(well: ASGIApp, problem: Callable[[], str | None]) -> Route:
    return Route(HEALTH_PATH, Health(well, problem))
