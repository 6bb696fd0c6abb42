"""How programs are answered: JSON that nobody keeps, and errors in the words of the protocol."""

from collections.abc import Mapping

from forge.jsontext import encode
from forge.wire.http import Response, json_response
from functions.oauth.visits import Visit

NO_STORE = {"cache-control": "no-store", "pragma": "no-cache"}


FOR_PAGES = {
    "access-control-allow-origin": "*",
    "access-control-allow-methods": "GET, POST, OPTIONS",
    "access-control-allow-headers": "authorization, content-type, mcp-protocol-version",
    "access-control-max-age": "86400",
}
"""Clients that are pages of others ask from there; nothing that programs ask goes by cookies."""


def public(body: Mapping[str, object]) -> Response:
    """What anybody may read and keep for a while."""
    return json_response(200, encode(body), {**FOR_PAGES, "cache-control": "public, max-age=300"})


def refused(
    visit: Visit, error: str, why: str, *, status: int = 400, headers: Mapping[str, str] | None = None
) -> Response:
    visit.outcome = error
    body = encode({"error": error, "error_description": why})
    return json_response(status, body, {**FOR_PAGES, **NO_STORE, **(headers or {})})


def given(body: Mapping[str, object], *, status: int = 200) -> Response:
    return json_response(status, encode(body), {**FOR_PAGES, **NO_STORE})
