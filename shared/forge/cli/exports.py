"""`forge admin export`: everything of a workspace on standard output, however long that takes."""

import re
import sys
from collections.abc import Callable, Iterable, Mapping
from time import sleep
from typing import Any

import httpx

from forge.cli.calls import BadArguments, Connection, Refused, answer_of, err, post, sent

TOOL = "export"
_LINES = "application/x-ndjson"
_LAST_LINE = re.compile(rb'\n\{"end":\{"items":\d+\}\}\n\Z')
_PAUSE_SECONDS = 2.0
_DOWNLOAD_SECONDS = 60.0


def run(arguments: Mapping[str, Any], *, at: Connection, pause: Callable[[float], None] = sleep) -> None:
    """Ends with all lines written, or raises."""
    response = sent(at, f"/api/admin/{TOOL}", arguments)
    if response.headers.get("content-type", "").startswith(_LINES):
        _write([response.content])
        return
    ordered = answer_of(at, response)
    if not ordered.is_success:
        raise Refused(ordered.body)
    _download(_url_of(at, ordered.body["exportId"], pause))


def _url_of(at: Connection, export_id: str, pause: Callable[[float], None]) -> str:
    err.print(f"{export_id} is being written; this waits for it.", markup=False)
    while True:
        shown = post(at, "/api/admin/exports.get", {"exportId": export_id})
        if not shown.is_success:
            raise Refused(shown.body)
        if shown.body["status"] == "FAILED":
            raise BadArguments(f"The export failed: {shown.body.get('error')} Order another one.")
        if "url" in shown.body:
            return str(shown.body["url"])
        pause(_PAUSE_SECONDS)


def _download(url: str) -> None:
    try:
        with httpx.stream("GET", url, timeout=_DOWNLOAD_SECONDS) as response:
            response.raise_for_status()
            _write(response.iter_bytes())
    except httpx.HTTPError as problem:
        raise BadArguments(f"The lines can't be fetched: {problem}") from None


def _write(parts: Iterable[bytes]) -> None:
    """As they come, and seeing to it that the last line is there: without it something is missing."""
    end = b""
    for part in parts:
        sys.stdout.buffer.write(part)
        end = (end + part)[-200:]
    sys.stdout.buffer.flush()
    if _LAST_LINE.search(end) is None:
        raise BadArguments("The lines end before their last one: what was written is not everything.")
