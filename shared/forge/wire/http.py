"""HTTP as plain values: what every door hands to the core, and gets back."""

from collections.abc import Mapping
from types import MappingProxyType

from forge.errors import DomainError, PayloadTooLarge, Unauthorized
from forge.jsontext import encode
from forge.values import Value

# Lambda answers and requests end at 6 MB; base64 and the event's envelope need room.
MAX_BODY_BYTES = 4 * 1024 * 1024

JSON = "application/json"
SET_COOKIE = "set-cookie"


class Request(Value):
    method: str
    path: str
    headers: Mapping[str, str]
    """By lower-case name."""
    body: str | bytes
    id: str
    query: Mapping[str, str] = MappingProxyType({})


class Response(Value):
    status: int
    body: str
    headers: Mapping[str, str]
    """By lower-case name. Of cookies there may be several, each on a line of its own."""


JSON_HEADERS: Mapping[str, str] = {"content-type": JSON}


def require_size(request: Request) -> None:
    body = request.body
    if len(body) * 4 <= MAX_BODY_BYTES:
        # Text is counted as it travels, and no character takes more than four bytes.
        return
    size = len(body.encode()) if isinstance(body, str) else len(body)
    if size > MAX_BODY_BYTES:
        raise too_large("The request body")


def too_large(what: str) -> PayloadTooLarge:
    return PayloadTooLarge(
        f"{what} is over {MAX_BODY_BYTES // 1024 // 1024} MB.", hint="Send less at once, in several calls."
    )


def json_response(status: int, body: str, headers: Mapping[str, str] | None = None) -> Response:
    return Response(status, body, {**JSON_HEADERS, **headers} if headers else JSON_HEADERS)


def error_response(error: DomainError, request_id: str) -> Response:
    """The error as REST callers and humans see it."""
    body = encode(error.as_object(request_id))
    return json_response(error.wire.http_status, body, error_headers(error))


def error_headers(error: DomainError) -> dict[str, str]:
    headers = {}
    if error.retry_after_seconds is not None:
        headers["retry-after"] = str(error.retry_after_seconds)
    if isinstance(error, Unauthorized):
        headers["www-authenticate"] = _challenge(error)
    return headers


def _challenge(error: Unauthorized) -> str:
    """RFC 6750; no resource_metadata, which would send clients looking for an OAuth server."""
    if not error.key_was_sent:
        return 'Bearer realm="mcp"'
    # Messages are ours and hold no quotes; the replacement keeps the header well formed all the same.
    text = error.message.replace('"', "'")
    return f'Bearer realm="mcp", error="invalid_token", error_description="{text}"'
