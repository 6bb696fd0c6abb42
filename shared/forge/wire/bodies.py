"""The JSON of a request's body: plain, or as clients send it that compress or mark it."""

from typing import Any

from forge.jsontext import BadJson, decode
from forge.wire.http import MAX_BODY_BYTES, Request, too_large

_GZIP = b"\x1f\x8b"
_MARK = "\ufeff"
_READ_HERE = frozenset({"", "identity", "gzip", "x-gzip"})


def read_json(request: Request) -> Any:
    """The body as a value, or BadJson; or PayloadTooLarge of one that unpacks to too much."""
    try:
        return decode(request.body)
    except BadJson:
        # Neither gzip nor a byte-order mark is JSON, so that nobody else pays for looking at them.
        mended = _mended(request)
        if mended is None:
            raise
    return decode(mended)


def _mended(request: Request) -> str | bytes | None:
    body = request.body
    if isinstance(body, bytes) and body.startswith(_GZIP):
        body = _unpacked(body)
    elif (encoding := request.headers.get("content-encoding", "").lower()) not in _READ_HERE:
        raise BadJson(f"the body's encoding {encoding[:40]!r} is not read here; send it plain or as gzip")
    mark = _MARK if isinstance(body, str) else _MARK.encode()
    mended = body.removeprefix(mark)  # type: ignore[arg-type]  # both are text or both are bytes
    return None if mended == request.body else mended


def _unpacked(body: bytes) -> bytes:
    import zlib  # rare, and the router starts without it

    unpacking = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    try:
        plain = unpacking.decompress(body, MAX_BODY_BYTES + 1)
    except zlib.error:
        raise BadJson("the body begins as gzip, but can't be unpacked") from None
    if len(plain) > MAX_BODY_BYTES:
        raise too_large("The unpacked request body")
    if not unpacking.eof or unpacking.unused_data:
        raise BadJson("the gzip body is cut off, or something follows it")
    return plain
