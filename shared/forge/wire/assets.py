"""What pages are made of and load: from us alone, named by its content, and kept by browsers for as long."""

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
    }
    if request.headers.get("if-none-match") == headers["etag"]:
        return WebResponse(status_code=304, headers=headers)
    return WebResponse(content, headers=headers)
