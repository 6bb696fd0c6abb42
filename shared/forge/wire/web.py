"""The human face: FastAPI with /docs, and the core beneath it for everything else."""

import json
from collections.abc import Sequence
from pathlib import Path
from secrets import token_hex
from typing import Any

from fastapi import FastAPI
from mangum import Mangum
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request as WebRequest
from starlette.responses import Response as WebResponse
from starlette.routing import BaseRoute
from starlette.types import Receive, Scope, Send

from forge import __version__
from forge.wire.edge import Edge
from forge.wire.http import MAX_BODY_BYTES, Request

OPENAPI_FILE = Path(__file__).with_name("openapi.json")


def create_app(edge: Edge, *, routes: Sequence[BaseRoute] = ()) -> FastAPI:
    """An ASGI application that answers like the Lambda functions do, and shows /docs."""
    app = FastAPI(title="Forge", version=__version__, docs_url="/docs", redoc_url=None)
    # The document is generated from the declarations; FastAPI would only see the mount.
    document = json.loads(OPENAPI_FILE.read_bytes())
    app.openapi = lambda: document  # type: ignore[method-assign]  # FastAPI's documented way to replace it
    app.router.routes.extend(routes)
    app.mount("/", CoreApp(edge))
    return app


def page_handler(edge: Edge) -> Mangum:
    """Pages inside a Lambda function."""
    return Mangum(create_app(edge), lifespan="off")


class CoreApp:
    """The core as an ASGI application. Tools block on AWS, so each call gets a thread."""

    def __init__(self, edge: Edge) -> None:
        self._edge = edge

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        web_request = WebRequest(scope, receive)
        request = Request(
            method=web_request.method,
            path=scope["path"],
            headers=_headers(web_request),
            body=await _body(web_request),
            id=f"req_{token_hex(8)}",
            query=dict(web_request.query_params),
        )
        answer = await run_in_threadpool(self._edge.handle, request)
        response = WebResponse(answer.body, answer.status, dict(answer.headers))
        await response(scope, receive, send)


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
