"""The human face: FastAPI with /docs and the console, and the core beneath it for everything else."""

import json
from asyncio import get_running_loop
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from pathlib import Path
from secrets import token_hex
from typing import Any

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from fastapi import FastAPI
from mangum import Mangum
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.requests import Request as WebRequest
from starlette.responses import Response as WebResponse
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Receive, Scope, Send

from forge import __version__
from forge.errors import DomainError, NotFound
from forge.wire.console import console_routes
from forge.wire.docs import docs_routes
from forge.wire.edge import Edge
from forge.wire.hosts import require_host
from forge.wire.http import MAX_BODY_BYTES, SET_COOKIE, Request, Response, error_response
from forge.wire.pages import OPENAPI_PATH
from forge.wire.paths import EXPORT_PATH, STREAM_PATH, TOOLS_PATH

_MOST_CALLS = 256
"""A thread is made when all others are taken: many sleepers wait in theirs, and whoever works goes on."""
_MOST_FOLLOWERS = 100
_WAITING = frozenset({STREAM_PATH, EXPORT_PATH})
OPENAPI_FILE = Path(__file__).with_name("openapi.json")


def create_app(edge: Edge, *, routes: Sequence[BaseRoute] = ()) -> FastAPI:
    """An ASGI application that answers like the Lambda functions do, and shows /docs and /console."""
    app = FastAPI(
        title="Forge",
        version=__version__,
        openapi_url=OPENAPI_PATH,
        # FastAPI's own page loads its script from elsewhere.
        docs_url=None,
        redoc_url=None,
    )
    # The document is generated from the declarations; FastAPI would only see the mount.
    document = json.loads(OPENAPI_FILE.read_bytes())
    app.openapi = lambda: document  # type: ignore[method-assign]  # FastAPI's documented way to replace it
    app.router.routes.extend([*docs_routes(), *console_routes(), *routes])
    # Not a mount: its pattern knows no line breaks, and every path has to get our own answer.
    app.router.default = CoreApp(edge)
    app.add_exception_handler(HTTPException, _refused_page)
    app.add_middleware(HostGuard, allowed=edge.allowed_hosts)
    return app


def page_handler(edge: Edge) -> Mangum:
    """Pages inside a Lambda function."""
    return Mangum(create_app(edge), lifespan="off")


class CoreApp:
    """The core as an ASGI application. Tools block on AWS, so each call gets a thread."""

    def __init__(self, edge: Edge) -> None:
        self._edge = edge
        # anyio's own threads cost twice as much to hand a call over to.
        self._threads = ThreadPoolExecutor(_MOST_CALLS, "call")
        self._followers: CapacityLimiter | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close"})
            return
        try:
            request = await _request(WebRequest(scope, receive))
        except ClientDisconnect:
            return
        answer = await self._answer(request)
        response = WebResponse(answer.body, answer.status, dict(answer.headers))
        if SET_COOKIE in answer.headers:
            del response.headers[SET_COOKIE]
            for cookie in answer.headers[SET_COOKIE].split("\n"):
                response.headers.append(SET_COOKIE, cookie)
        await response(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        if request.path not in _WAITING:
            # What a call says of itself, like its deadline, is nothing to the next one on its thread.
            call = partial(copy_context().run, self._edge.handle, request)
            return await get_running_loop().run_in_executor(self._threads, call)
        # They wait for as long as nothing happens, and must not take the threads of those who work.
        self._followers = self._followers or CapacityLimiter(_MOST_FOLLOWERS)
        return await run_sync(self._edge.handle, request, limiter=self._followers, abandon_on_cancel=True)


class ToolsFirst:
    """Calls of tools go straight to the core, which answers them alike; pages to whoever makes them."""

    def __init__(self, core: CoreApp, pages: ASGIApp) -> None:
        self._core = core
        self._pages = pages

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_tool = scope["type"] == "http" and scope["path"].startswith(TOOLS_PATH)
        await (self._core if is_tool else self._pages)(scope, receive, send)


class HostGuard:
    """Holds the pages to the same hosts as the core, which has its own check."""

    def __init__(self, app: ASGIApp, allowed: frozenset[str]) -> None:
        self._app = app
        self._allowed = allowed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and self._allowed:
            try:
                require_host(WebRequest(scope).headers, self._allowed)
            except DomainError as error:
                refused = error_response(error, f"req_{token_hex(8)}")
                response = WebResponse(refused.body, refused.status, dict(refused.headers))
                await response(scope, receive, send)
                return
        await self._app(scope, receive, send)


async def _refused_page(request: WebRequest, problem: Exception) -> WebResponse:
    """What FastAPI refuses by itself, such as a POST to a page, in our own words."""
    status = problem.status_code if isinstance(problem, HTTPException) else 404
    error = NotFound(f"{request.url.path[:100]} does not answer to {request.method}.")
    refused = error_response(error, f"req_{token_hex(8)}")
    return WebResponse(refused.body, status, dict(refused.headers))


async def _request(request: WebRequest) -> Request:
    query: dict[str, str] = {}
    for name, value in request.query_params.multi_items():
        query[name] = f"{query[name]},{value}" if name in query else value
    return Request(
        method=request.method,
        path=request.scope["path"],
        headers=_headers(request),
        body=await _body(request),
        id=f"req_{token_hex(8)}",
        query=query,
    )


async def _body(request: WebRequest) -> bytes:
    """The body, or just more of it than is allowed, so that the core can refuse it."""
    received = bytearray()
    async for chunk in request.stream():
        received += chunk
        if len(received) > MAX_BODY_BYTES:
            break
    return bytes(received)


def _headers(request: WebRequest) -> dict[str, Any]:
    headers: dict[str, str] = {}
    for name, value in request.headers.items():
        headers[name] = f"{headers[name]},{value}" if name in headers else value
    return headers
