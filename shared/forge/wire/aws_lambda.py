"""The Lambda handlers: API Gateway events straight to the core, people's pages through FastAPI."""

import os
from collections.abc import Callable
from functools import cache
from typing import Any

from forge.contract.catalog import Catalog, load_catalog
from forge.deadline import seconds_on_lambda
from forge.errors import DomainError, InvalidInput
from forge.wire.edge import Edge, refusal_at
from forge.wire.http import SET_COOKIE, Request, Response, error_response
from forge.wire.invocation import is_invocation, write_failure
from forge.wire.pages import is_page
from forge.wire.settings import Settings
from forge.wire.starting import Start, is_on_lambda

Event = dict[str, Any]
Handler = Callable[[Event, Any], dict[str, Any]]


def router_handler() -> Handler:
    """The router's handler: every tool that agents have, none imported before it is called."""
    return _handler(lambda: _open_edge(load_catalog().for_agents(), prepares_tools=False))


def lambda_handler(package: str) -> Handler:
    """The handler of one folder's function, which answers for the tools that are declared in it only."""
    return _handler(lambda: _open_edge(_declared_in(package), prepares_tools=True))


def sign_in_handler() -> Handler:
    """The authorization server's: it has no tools, and answers people and clients alike."""
    return _handler(lambda: _open_edge(Catalog([]), prepares_tools=False))


def _declared_in(package: str) -> Catalog:
    own = [tool for tool in load_catalog().tools if tool.module.startswith(f"{package}.")]
    if not own:
        raise LookupError(f"the catalog has no tool of {package}; `make generate` compiles it")
    return Catalog(own)


def edge_handler(edge: Edge) -> Handler:
    @cache
    def pages() -> Handler:
        # FastAPI costs half a second to import, so only people who open a page wait for it.
        from forge.wire.web import page_handler

        return page_handler(edge)

    def handle(event: Event, context: Any) -> dict[str, Any]:
        if "rawPath" not in event or "requestContext" not in event:
            if is_invocation(event):
                return edge.invoke(event, seconds=seconds_on_lambda(context))
            refused = InvalidInput("This function answers requests of an HTTP API.")
            return _result_of(error_response(refused, "none"))
        if is_page(event["rawPath"]):
            return pages()({**event, "headers": event.get("headers") or {}}, context)
        return _result_of(edge.handle(_request_of(event), seconds=seconds_on_lambda(context)))

    return handle


def _open_edge(catalog: Catalog, *, prepares_tools: bool) -> Edge:
    settings = Settings.read(os.environ)
    edge = Edge(catalog, settings.open_backend(), settings.options())
    if is_on_lambda():
        edge.prepare(catalog.tools if prepares_tools else ())
    return edge


def _handler(open_edge: Callable[[], Edge]) -> Handler:
    start = Start(lambda: edge_handler(open_edge()))

    def handle(event: Event, context: Any) -> dict[str, Any]:
        try:
            opened = start.opened(lambda: _request_id(event))
        except DomainError as failure:
            return _not_started(event, failure)
        return opened(event, context)

    return handle


def _not_started(event: Event, failure: DomainError) -> dict[str, Any]:
    """The answer of a function that could not be opened, in the words of whoever asked."""
    if is_invocation(event):
        return write_failure(failure)
    return _result_of(refusal_at(event.get("rawPath", ""), failure, _request_id(event)))


def _request_id(event: Event) -> str:
    """The gateway's, or the one that the router's call brings along."""
    carrier, name = ("call", "request_id") if is_invocation(event) else ("requestContext", "requestId")
    return str(event.get(carrier, {}).get(name, "none"))


def _request_of(event: Event) -> Request:
    http = event["requestContext"]
    body = event.get("body") or ""
    if body and event.get("isBase64Encoded"):
        body = _decoded(body)
    headers = event.get("headers") or {}
    if "cookies" in event:
        # API Gateway takes them out of the headers.
        headers = {**headers, "cookie": "; ".join(event["cookies"])}
    return Request(
        http["http"]["method"],
        event["rawPath"],
        headers,
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
    headers = response.headers
    if SET_COOKIE not in headers:
        return {"statusCode": response.status, "headers": headers, "body": response.body}
    rest = {name: value for name, value in headers.items() if name != SET_COOKIE}
    cookies = headers[SET_COOKIE].split("\n")
    return {"statusCode": response.status, "headers": rest, "cookies": cookies, "body": response.body}
