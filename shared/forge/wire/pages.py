"""Where people's pages are. Free of the framework that serves them, because the router starts with it."""

from collections.abc import Mapping

from forge.work.record.links import CONSOLE_PATH, WORKSPACES_PATH

DOCS_PATH = "/docs"
OPENAPI_PATH = "/openapi.json"

SCRIPT, STYLE = "text/javascript; charset=utf-8", "text/css; charset=utf-8"
ASSETS: Mapping[str, str] = {
    "swagger-ui.css": STYLE,
    "swagger-ui-bundle.js": SCRIPT,
    "start.js": SCRIPT,
}
"""What /docs loads from beneath itself, by file name, each with its content type."""

PAGES = frozenset({DOCS_PATH, OPENAPI_PATH, *(f"{DOCS_PATH}/{name}" for name in ASSETS)})
_BENEATH = (f"{CONSOLE_PATH}/", WORKSPACES_PATH)
_CALLS = "/api/"
"""What programs ask for: asked first, because every call is."""


def is_page(path: str) -> bool:
    """Whether people open it in a browser; the console has as many pages as there are issues."""
    if path.startswith(_CALLS):
        return False
    return path in PAGES or path == CONSOLE_PATH or path.startswith(_BENEATH)
