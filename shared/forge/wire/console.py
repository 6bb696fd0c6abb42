"""/console: one page for every path beneath it, and the files that it is made of.

Files are named by the folder they are in, after what is in all of them: modules import one another by where
they are, and so a browser never mixes those of two builds.
"""

import re
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from posixpath import dirname, normpath
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
_STYLES = (
    "vendor/uplot.css",
    *(
        f"css/{name}.css"
        for name in (
            *("base", "chrome", "parts", "prose", "pages", "needs", "work", "board", "charts", "pictures"),
            *("operators", "above"),
        )
    ),
)
"""In the order in which one overrules another; sent as one file."""
_PAGES = {
    "agents": ("pages/agents", ""),
    "analytics": ("pages/analytics", ""),
    "board": ("pages/board", ""),
    "chat": ("", "pages/chat"),
    "cycles": ("pages/cycles", "pages/cycle"),
    "day": ("pages/day", ""),
    "gates": ("", "pages/gate"),
    "goals": ("pages/goals", "pages/goal"),
    "initiatives": ("pages/initiatives", "pages/initiative"),
    "issues": ("", "pages/issue"),
    "pipelines": ("pages/pipelines", "pages/pipeline"),
    "repositories": ("operating/pages", "pages/pull"),
    "requests": ("", "pages/request"),
    "runs": ("", "pages/run"),
    **dict.fromkeys(
        ("members", "keys", "crews", "dispatch", "webhooks", "settings", "audit", "exports", "health"),
        ("operating/pages", ""),
    ),
}
"""By what its path begins with, the module of a page that few look at first: of all of them, and of one."""
_IMPORTED = re.compile(r'^(?:import|export) (?:[^"]*? from )?"(\..+?)";?$|from"(\./.+?)"', re.MULTILINE)
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
    area, _, rest = request.url.path.removeprefix(CONSOLE_PATH).strip("/").partition("/")
    return page_response(_page(_PAGES.get(area, ("", ""))[bool(rest)]), _POLICY)


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
def _page(own: str) -> str:
    at = f"{_ASSETS_PATH}/{_version()}"
    # All at once, instead of one after the other as each names the next.
    scripts = sorted(_needed(["js/main.js", *([f"js/{own}.js"] if own else [])]))
    preloads = "\n".join(f'<link rel="modulepreload" href="{at}/{name}">' for name in scripts)
    index = (_folder() / "index.html").read_text(encoding="utf-8")
    return Template(index).substitute(assets=at, preloads=preloads)


def _needed(names: list[str]) -> set[str]:
    """These modules and all that they name."""
    needed = set[str]()
    while names:
        name = names.pop()
        if name not in needed:
            needed.add(name)
            found = _IMPORTED.findall(_assets()[name].decode())
            names += [normpath(f"{dirname(name)}/{one or other}") for one, other in found]
    return needed


@cache
def _version() -> str:
    digest = sha256()
    for name, content in sorted(_assets().items()):
        digest.update(f"{name} {len(content)}\n".encode() + content)
    return digest.hexdigest()[:16]


@cache
def _assets() -> Mapping[str, bytes]:
    """By their paths beneath the folder."""
    found = dict(_beneath(_folder(), ""))
    styles = b"\n".join(found.pop(name) for name in _STYLES)
    return {**found, "styles.css": styles}


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
