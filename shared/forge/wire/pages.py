"""Where people's pages are. Free of the framework that serves them, because the router starts with it."""

from collections.abc import Mapping

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
