"""/console: one page for every path beneath it, and the files that it is made of.

Files are named by the folder they are in, after what is in all of them: modules import one another by where
they are, and so a browser never mixes those of two builds.
"""

from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from string import Template
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.requests import Request as WebRequest
from starlette.responses import RedirectResponse
from starlette.responses import Response as WebResponse
from starlette.routing import Route

from forge.wire.assets import CONTENT_SECURITY_POLICY, asset_response, page_response
from forge.wire.pages import SCRIPT, STYLE
from forge.work.record.links import CONSOLE_PATH, issue_path

# Agents write what is shown here: a browser that knows how refuses to take any text for markup.
_POLICY = f"{CONTENT_SECURITY_POLICY}; require-trusted-types-for 'script'; trusted-types 'none'"

_ASSETS_PATH = f"{CONSOLE_PATH}/assets"
_ASKED_FOR_LATER = (
    "vendor/uplot.js",
    "js/following.js",
    "js/operating/",
    "js/pages/agents.js",
    "js/pages/analytics.js",
    "js/pages/chat.js",
    "js/pages/day.js",
    "js/pages/pipeline",
    "js/pictures/phase_strip.js",
)
"""What only some pages need: these are loaded when somebody opens them."""
_TYPES = {".css": STYLE, ".js": SCRIPT, ".svg": "image/svg+xml"}


def console_routes() -> list[Route]:
    return [
        Route(f"{_ASSETS_PATH}/{{version}}/{{name:path}}", _serve_asset, methods=["GET"]),
        Route(CONSOLE_PATH, _serve_page, methods=["GET"]),
        Route(f"{CONSOLE_PATH}/{{path:path}}", _serve_page, methods=["GET"]),
        Route(issue_path("{slug}", "{identifier}"), _lead_to_issue, methods=["GET"]),
    ]


async def _serve_page(request: WebRequest) -> WebResponse:
    if request.url.path.startswith(f"{_ASSETS_PATH}/"):
        raise HTTPException(404)
    return page_response(_page(), _POLICY)


async def _lead_to_issue(request: WebRequest) -> WebResponse:
    """The workspace is the one of whoever signs in there."""
    return RedirectResponse(f"{CONSOLE_PATH}/issues/{quote(request.path_params['identifier'])}", 302)


async def _serve_asset(request: WebRequest) -> WebResponse:
    name = request.path_params["name"]
    content = _assets().get(name)
    if content is None:
        raise HTTPException(404)
    return asset_response(
        request,
        content,
        content_type=_TYPES[_suffix(name)],
        version=_version(),
        named=request.path_params["version"],
    )


@cache
def _page() -> str:
    at = f"{_ASSETS_PATH}/{_version()}"
    # All at once, instead of one after the other as each names the next.
    every = (name for name in sorted(_assets()) if _suffix(name) == ".js")
    scripts = [name for name in every if not name.startswith(_ASKED_FOR_LATER)]
    preloads = "\n".join(f'<link rel="modulepreload" href="{at}/{name}">' for name in scripts)
    index = (_folder() / "index.html").read_text(encoding="utf-8")
    return Template(index).substitute(assets=at, preloads=preloads)


@cache
def _version() -> str:
    digest = sha256()
    for name, content in sorted(_assets().items()):
        digest.update(f"{name} {len(content)}\n".encode() + content)
    return digest.hexdigest()[:16]


@cache
def _assets() -> Mapping[str, bytes]:
    """By their paths beneath the folder."""
    return dict(_beneath(_folder(), ""))


def _beneath(folder: Traversable, prefix: str) -> list[tuple[str, bytes]]:
    found: list[tuple[str, bytes]] = []
    for entry in folder.iterdir():
        name = f"{prefix}{entry.name}"
        if entry.is_dir():
            found += _beneath(entry, f"{name}/")
        elif _suffix(name) in _TYPES:
            found.append((name, entry.read_bytes()))
    return found


def _folder() -> Traversable:
    return files("forge") / "console"


def _suffix(name: str) -> str:
    return name[name.rfind(".") :]
