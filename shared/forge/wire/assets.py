"""What pages are made of and load: from us alone, named by its content, and kept by browsers for as long."""

from functools import lru_cache
from gzip import compress

from starlette.requests import Request as WebRequest
from starlette.responses import Response as WebResponse

CONTENT_SECURITY_POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        # Icons stand in the style sheet.
        "img-src 'self' data:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ]
)

_SAFE = {"x-content-type-options": "nosniff", "referrer-policy": "no-referrer"}
_MOST_FILES = 256
"""More than all that we serve."""


def page_response(text: str, policy: str = CONTENT_SECURITY_POLICY) -> WebResponse:
    headers = {
        **_SAFE,
        "content-security-policy": policy,
        # It names its files by what is in them, so it has to be asked for again.
        "cache-control": "no-cache",
    }
    return WebResponse(text, media_type="text/html", headers=headers)


def asset_response(
    request: WebRequest, content: bytes, *, content_type: str, version: str, named: str | None
) -> WebResponse:
    """A file, or that the browser has it; `named` is the version that its address asks for."""
    headers = {
        **_SAFE,
        "content-type": content_type,
        "cache-control": "public, max-age=31536000, immutable" if named == version else "no-cache",
        "etag": f'"{version}"',
        "vary": "accept-encoding",
    }
    if request.headers.get("if-none-match") == headers["etag"]:
        return WebResponse(status_code=304, headers=headers)
    if _takes_gzip(request):
        return WebResponse(_compressed(content), headers={**headers, "content-encoding": "gzip"})
    return WebResponse(content, headers=headers)


def _takes_gzip(request: WebRequest) -> bool:
    """Browsers always do. Whoever weighs encodings gets the file as it is."""
    accepted = request.headers.get("accept-encoding", "").replace(" ", "").split(",")
    return "gzip" in accepted


@lru_cache(_MOST_FILES)
def _compressed(content: bytes) -> bytes:
    # Without the time in it, so that a file is the same wherever it is served.
    return compress(content, mtime=0)
