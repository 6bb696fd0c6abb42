"""The Lambda handlers: API Gateway events straight to the core, people's pages through FastAPI."""

import os
from collections.abc import Callable
from functools import cache
from typing import Any

from forge.contract.catalog import Catalog, load_catalog
from forge.errors import InvalidInput
from forge.wire.edge import Edge
from forge.wire.http import Request, Response, error_response
from forge.wire.invocation import is_invocation
from forge.wire.settings import Settings

Event = dict[str, Any]
Handler = Callable[[Event, Any], dict[str, Any]]

PAGES = frozenset({"/docs", "/openapi.json"})


def router_handler() -> Handler:
    """The router's handler: every tool of the catalog, none imported before it is called."""
    return _handler(load_catalog)


def lambda_handler(package: str) -> Handler:
    """The handler of one folder's function, which answers for the tools that are declared in it only."""
    return _handler(
        lambda: Catalog(tool for tool in load_catalog().tools if tool.module.startswith(f"{package}."))
    )


def edge_handler(edge: Edge) -> Handler:
    @cache
    def pages() -> Handler:
        # FastAPI costs half a second to import, so only people who open a page wait for it.
        from forge.wire.web import page_handler

        return page_handler(edge)

    def handle(event: Event, context: Any) -> dict[str, Any]:
        if is_invocation(event):
            return edge.invoke(event)
        if "rawPath" not in event or "requestContext" not in event:
            refused = InvalidInput("This function answers requests of an HTTP API.")
            return _result_of(error_response(refused, "none"))
        if event["rawPath"] in PAGES:
            return pages()({**event, "headers": event.get("headers") or {}}, context)
        return _result_of(edge.handle(_request_of(event)))

    return handle


def _handler(open_catalog: Callable[[], Catalog]) -> Handler:
    opened: list[Handler] = []

    def handle(event: Event, context: Any) -> dict[str, Any]:
        # On the first event, not at import: a failed import would hide the reason behind a time-out.
        if not opened:
            settings = Settings.read(os.environ)
            edge = Edge(open_catalog(), settings.open_backend(), settings.options())
            opened.append(edge_handler(edge))
        return opened[0](event, context)

    return handle


def _request_of(event: Event) -> Request:
    http = event["requestContext"]
    body = event.get("body") or ""
    if body and event.get("isBase64Encoded"):
        body = _decoded(body)
    return Request(
        http["http"]["method"],
        event["rawPath"],
        event.get("headers") or {},
        body,
        http["requestId"],
        event.get("queryStringParameters") or {},
    )


def _decoded(body: str) -> bytes:
    from base64 import b64decode  # only for what is not text, and the router starts without it

    try:
        return b64decode(body)
    except ValueError:
        # API Gateway never sends this; whoever does gets the same answer as for any broken JSON.
        return b"\x00"


def _result_of(response: Response) -> dict[str, Any]:
    return {"statusCode": response.status, "headers": response.headers, "body": response.body}
