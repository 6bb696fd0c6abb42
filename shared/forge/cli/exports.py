"""`forge admin export`: everything of a workspace on standard output, and its files into a folder."""

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from time import sleep
from typing import Any

import httpx

from forge.cli.calls import BadArguments, Connection, Refused, answer_of, err, post, sent

TOOL = "export"
_LINES = "application/x-ndjson"
_LAST_LINE = re.compile(rb'\n\{"end":\{"items":\d+\}\}\n\Z')
_PAUSE_SECONDS = 2.0
_DOWNLOAD_SECONDS = 60.0


def run(
    arguments: Mapping[str, Any],
    *,
    at: Connection,
    files: Path | None = None,
    pause: Callable[[float], None] = sleep,
) -> None:
    """Ends with all lines written, and all files where they are wanted, or raises."""
    response = sent(at, f"/api/admin/{TOOL}", arguments)
    if response.headers.get("content-type", "").startswith(_LINES):
        _write([response.content])
    else:
        ordered = answer_of(at, response)
        if not ordered.is_success:
            raise Refused(ordered.body)
        _write(_parts(at, ordered.body["exportId"], pause))
    if files is not None:
        _fetch_files(at, files)


def _parts(at: Connection, export_id: str, pause: Callable[[float], None]) -> Iterator[bytes]:
    err.print(f"{export_id} is being written; this waits for it.", markup=False)
    shown = _shown(at, export_id, pause)
    yield from _downloaded(shown["url"])
    for part in range(2, shown.get("parts", 1) + 1):
        yield from _downloaded(_asked(at, "exports.get", {"exportId": export_id, "part": part})["url"])


def _shown(at: Connection, export_id: str, pause: Callable[[float], None]) -> dict[str, Any]:
    """What it is once it is written."""
    while True:
        shown = _asked(at, "exports.get", {"exportId": export_id})
        if shown["status"] == "FAILED":
            raise BadArguments(f"The export failed: {shown.get('error')} Order another one.")
        if "url" in shown:
            return shown
        pause(_PAUSE_SECONDS)


def _fetch_files(at: Connection, folder: Path) -> None:
    """Each under its own name; one that is there already is not fetched again."""
    cursor: dict[str, str] = {}
    while True:
        page = _asked(at, "exports.files", cursor)
        for file in page["data"]:
            place = file_in(folder, file["name"])
            if place.is_file() and place.stat().st_size == file["size"]:
                continue
            err.print(f"{file['name']} ({file['size']} bytes)", markup=False)
            place.parent.mkdir(parents=True, exist_ok=True)
            unfinished = place.with_name(f"{place.name}.part")
            with unfinished.open("wb") as into:
                into.writelines(_downloaded(file["url"]))
            unfinished.replace(place)
        if "nextCursor" not in page:
            return
        cursor = {"cursor": page["nextCursor"]}


def file_in(folder: Path, name: str) -> Path:
    """Where a file of that name is kept; never outside the folder."""
    place = folder / name
    if not place.resolve().is_relative_to(folder.resolve()):
        raise BadArguments(f"The name {name!r} leads out of {folder}.")
    return place


def _asked(at: Connection, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    answer = post(at, f"/api/admin/{tool}", arguments)
    if not answer.is_success:
        raise Refused(answer.body)
    body: dict[str, Any] = answer.body
    return body


def _downloaded(url: str) -> Iterator[bytes]:
    try:
        with httpx.stream("GET", url, timeout=_DOWNLOAD_SECONDS) as response:
            response.raise_for_status()
            yield from response.iter_bytes()
    except httpx.HTTPError as problem:
        raise BadArguments(f"This can't be fetched: {problem}") from None


def _write(parts: Iterable[bytes]) -> None:
    """As they come, and seeing to it that the last line is there: without it something is missing."""
    end = b""
    for part in parts:
        sys.stdout.buffer.write(part)
        end = (end + part)[-200:]
    sys.stdout.buffer.flush()
    if _LAST_LINE.search(end) is None:
        raise BadArguments("The lines end before their last one: what was written is not everything.")
