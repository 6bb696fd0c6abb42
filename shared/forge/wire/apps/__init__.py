"""Apps (SEP-1865): pages that hosts show beside what a tool answered. Each is one file, and loads nothing."""

from functools import cache
from pathlib import Path

from forge.errors import NotFound
from forge.jsontext import encode

SCHEME = "ui://"
APP_TYPE = "text/html;profile=mcp-app"
_FILES = {"ui://forge/decision": "decision.html"}


def contents(uri: str) -> str:
    """As members of a result."""
    if uri not in _FILES:
        raise NotFound("There is no such app.", hint=f"Known: {', '.join(_FILES)}.")
    shown = {"uri": uri, "mimeType": APP_TYPE, "text": _page(uri), "_meta": {"ui": {"prefersBorder": True}}}
    return encode({"contents": [shown]})[1:-1]


@cache
def _page(uri: str) -> str:
    return Path(__file__).with_name(_FILES[uri]).read_text(encoding="utf-8")
