"""A backup as `forge admin export` wrote it: read line by line, as often as is needed, and never whole."""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from forge import __version__
from forge.cli.backups.items import Heading, quiet, wanted_of
from forge.cli.backups.places import is_at
from forge.cli.backups.wanted import Stopped, Wanted
from forge.errors import NotFound
from forge.jsontext import BadJson, decode
from forge.store.blobs import Blobs
from forge.store.codec import decode_item
from forge.store.keys import OUTSIDE_EVERY_WORKSPACE, Key, workspace_prefix
from forge.store.readings import Attributes, ItemT
from forge.work.overviews.exports.lines import FORMAT, line_of

_OF_NO_MEANING = frozenset({"version", "created_at"})
"""What two who were made at different times may differ in, and be the same person all the same."""


class BackupFile:
    """`Backup`: what it holds for one workspace, with the same ids."""

    def __init__(
        self, path: Path, blobs: Blobs, *, slug: str | None = None, key_prefix: str | None = None
    ) -> None:
        self._path = path
        self._blobs = blobs
        _, first = next(self._lines(), (0, {}))
        self.about = replace(_about(first), slug=slug, key_prefix=key_prefix)

    def rows(self) -> Iterator[Wanted]:
        """In the order of the file; Stopped at the first line that is none."""
        items, end = 0, None
        with closing(sqlite3.connect("")) as seen:
            # On disk as soon as there are many.
            seen.execute("CREATE TABLE keys (partition TEXT, sort TEXT, PRIMARY KEY (partition, sort))")
            for number, line in self._lines():
                if number == 1:
                    continue
                if end is not None:
                    raise Stopped(f"Line {number}: something follows after the end.")
                if "end" in line:
                    end = line["end"]
                    continue
                items += 1
                partition, sort, values = _parts_of(number, line)
                if seen.execute("INSERT OR IGNORE INTO keys VALUES (?, ?)", (partition, sort)).rowcount == 0:
                    raise Stopped(f"Line {number}: {partition} / {sort} was there before.")
                yield from self._wanted(number, partition, sort, values)
        if end is None:
            raise Stopped("The file ends before its last line: it was cut, and can't be brought back whole.")
        if end != {"items": items}:
            raise Stopped(f"The last line tells of {end}, but there are {items} items: some are missing.")

    def of_kind(self, kind: type[ItemT]) -> Iterator[ItemT]:
        """The items of one kind, in a pass of their own over a file that was read before."""
        prefix = workspace_prefix(self.about.workspace_id)
        for number, line in self._lines():
            if "key" in line and is_at(kind, Key(prefix + line["key"][0], line["key"][1])):
                yield kind.from_attributes(next(self._wanted(number, *_parts_of(number, line))).row)

    def is_same(self, stored: Attributes, wanted: Wanted) -> bool:
        """Whether both would be the same line of an export; outside of workspaces, mean the same."""
        if wanted.key.partition.startswith(OUTSIDE_EVERY_WORKSPACE):
            held, told = (decode_item(row, leaving_out=_OF_NO_MEANING) for row in (stored, wanted.row))
            return held == told
        return self._line(quiet(stored, self.about), {}) == self._line(wanted.row, wanted.texts)

    def merged(self, stored: Attributes, wanted: Wanted) -> Wanted:
        return wanted

    def is_anothers(self, wanted: Wanted) -> bool:
        return True

    def clash(self, stored: Attributes, wanted: Wanted) -> str:
        held = decode_item(stored)
        match wanted.name:
            case "WorkspaceNameItem":
                field, name = wanted.key.partition.split("#", 2)[1:]
                option = "--slug" if field == "SLUG" else "--key"
                return (
                    f"{held['workspace_id']} has the {field.lower()} {name!r}: choose another with {option}."
                )
            case "EmailItem":
                return f"The address {held['email']} is that of another user here, {held['user_id']}."
            case "UserItem":
                return f"The user {held['id']} has another address here, {held['email']}."
        return f"{wanted.source}: what is at {wanted.key.partition} / {wanted.key.sort} is not the same."

    def _line(self, row: Attributes, texts: Mapping[str, str]) -> str | None:
        return line_of(row, self.about.workspace_id, lambda name: texts.get(name) or self._read_text(name))

    def _read_text(self, name: str) -> str | None:
        try:
            return self._blobs.get_text(name)
        except NotFound:
            return None

    def _wanted(self, number: int, partition: str, sort: str, values: Mapping[str, Any]) -> Iterator[Wanted]:
        try:
            for one in wanted_of(self.about, partition, sort, values):
                yield one._replace(source=f"Line {number}")
        except Stopped as problem:
            newer = f" It was exported by Forge {self.about.made_by}; this is {__version__}."
            other = newer if self.about.made_by != __version__ else ""
            raise Stopped(f"Line {number}: {problem}.{other}") from None

    def _lines(self) -> Iterator[tuple[int, dict[str, Any]]]:
        with self._path.open("rb") as file:
            for number, text in enumerate(file, 1):
                try:
                    line = decode(text.rstrip(b"\r\n"))
                except BadJson as problem:
                    raise Stopped(f"Line {number}: this is not JSON: {problem}.") from None
                if not isinstance(line, dict):
                    raise Stopped(f"Line {number}: this is no object.")
                yield number, line


def _about(first: Mapping[str, Any]) -> Heading:
    try:
        told = first["export"]
        version = told["format"]
        workspace_id, ordered_at = told["workspace"]["id"], datetime.fromisoformat(told["orderedAt"])
        made_by = str(told["forge"])
    except (KeyError, TypeError, ValueError):
        raise Stopped("Line 1: this is not how an export begins. `forge admin export` makes one.") from None
    if version != FORMAT:
        age = "a newer" if isinstance(version, int) and version > FORMAT else "an older"
        raise Stopped(
            f"Line 1: this is format {version}, of {age} Forge ({made_by}); this one reads format {FORMAT}."
        )
    if not isinstance(workspace_id, str) or not workspace_id or "#" in workspace_id:
        raise Stopped("Line 1: it names no workspace.")
    return Heading(workspace_id, ordered_at, made_by)


def _parts_of(number: int, line: Mapping[str, Any]) -> tuple[str, str, Mapping[str, Any]]:
    match line:
        case {"key": [str(partition), str(sort)], "item": dict(values)} if partition and sort:
            return partition, sort, values
    raise Stopped(f'Line {number}: this is not {{"key": [partition, sort], "item": {{…}}}}.')
