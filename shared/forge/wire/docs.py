"""/docs: Swagger UI from files of our own, so that it works offline and nobody else learns who reads it."""

from functools import cache
from hashlib import sha256
from importlib.resources import files

from starlette.requests import Request as WebRequest
from starlette.responses import Response as WebResponse
from starlette.routing import Route

from forge.wire.assets import asset_response, page_response
from forge.wire.pages import ASSETS, DOCS_PATH, OPENAPI_PATH

# A file, because the policy admits no script that stands in the page. Without validatorUrl: null the
# document's address would be sent to swagger.io.
_START = f"""\
SwaggerUIBundle({{
  url: "{OPENAPI_PATH}",
  dom_id: "#swagger-ui",
  deepLinking: true,
  docExpansion: "none",
  filter: true,
  validatorUrl: null,
}});
"""

_PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Forge</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="{style}">
</head>
<body>
<div id="swagger-ui"></div>
<script src="{bundle}"></script>
<script src="{start}"></script>
</body>
</html>
"""


def docs_routes() -> list[Route]:
    assets = [Route(f"{DOCS_PATH}/{name}", _serve_asset, methods=["GET"], name=name) for name in ASSETS]
    return [Route(DOCS_PATH, _serve_page, methods=["GET"]), *assets]


async def _serve_page(request: WebRequest) -> WebResponse:
    page = _PAGE.format(
        style=_address("swagger-ui.css"),
        bundle=_address("swagger-ui-bundle.js"),
        start=_address("start.js"),
    )
    return page_response(page)


async def _serve_asset(request: WebRequest) -> WebResponse:
    name = request.url.path.rpartition("/")[2]
    return asset_response(
        request,
        _content(name),
        content_type=ASSETS[name],
        version=_version(name),
        named=request.query_params.get("v"),
    )


def _address(name: str) -> str:
    return f"{DOCS_PATH}/{name}?v={_version(name)}"


@cache
def _version(name: str) -> str:
    return sha256(_content(name)).hexdigest()[:16]


@cache
def _content(name: str) -> bytes:
    if name == "start.js":
        return _START.encode()
    return (files("fastapi_offline") / "static" / name).read_bytes()
