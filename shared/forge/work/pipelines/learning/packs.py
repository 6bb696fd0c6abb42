"""What pipelines were about, in packs: ten thousand of them are read in a few requests.

A pack is closed when it is full and never changes again, so a process need not read it twice.
"""

import json
import zlib
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from forge.store.items import Item
from forge.store.keys import At, Partition
from forge.work.pipelines.learning.words import one_line, words

PACK_SIZE = 100
"""Pipelines in a pack. The open one is written with each pipeline that ends, so it should not be large."""

_LARGEST = 60_000
_LONGEST_LINE = 200
_MOST_TAGS, _MOST_TAG_BYTES = 50, 1_000


class Ended(NamedTuple):
    """A pipeline that is over, with what is worth knowing of it later."""

    pipeline_id: str
    """The same for the pipeline's whole life, and no other's: its workspace, for instance."""
    spec_name: str
    effort: str | None
    flow_template: str | None
    outcome: str
    """`completed` or `abandoned`."""
    tokens_total: int
    duration_ms: int
    created_at: datetime
    one_liner: str = ""
    tags: tuple[str, ...] = ()
    """What its request says, which is filled in when it is learned from."""
    repository: str | None = None

    @property
    def text(self) -> list[str]:
        """The words by which it is found."""
        return [*words(self.one_liner), *self.tags]


LEARNING = Partition("WS#{workspace_id}#LEARNING")
"""What a workspace has learned from its pipelines: all of it in one partition."""
OPEN_PACK = At(LEARNING, "OPEN", when="is_open")


class PackItem(Item):
    """A number of pipelines, compressed: their words repeat."""

    # In the order in which they were filled.
    stored = At(LEARNING, "PACK#{number:08}")
    instead = (OPEN_PACK,)

    workspace_id: str
    number: int = 0
    is_open: bool = True
    size: int = 0
    last_id: str = ""
    """Of the pipeline that was added last."""
    packed: str = ""

    @property
    def is_full(self) -> bool:
        return self.size >= PACK_SIZE or len(self.packed) >= _LARGEST


class EndedItem(Item):
    """Says that a pipeline was learned from. It never changes."""

    stored = At(LEARNING, "ENDED#{pipeline_id}")

    workspace_id: str
    pipeline_id: str
    outcome: str
    learned_at: datetime


def told_by(request: str) -> tuple[str, tuple[str, ...]]:
    """The first line of a request that says something, and its first words, without what stands before it."""
    body = _without_front_matter(request)
    lines = (line.lstrip("# \t").strip() for line in body.splitlines())
    tags: list[str] = []
    room = _MOST_TAG_BYTES
    for word in dict.fromkeys(words(body)):
        room -= len(word.encode()) + 1
        if room < 0 or len(tags) == _MOST_TAGS:
            break
        tags.append(word)
    return one_line(next(filter(None, lines), ""), _LONGEST_LINE), tuple(tags)


def added_to(pack: PackItem, ended: Ended) -> PackItem:
    """The pack with one more ended pipeline; rows that another build wrote stay as they are."""
    rows = [*_rows(pack), _row_of(ended)]
    text = json.dumps(rows, ensure_ascii=False, separators=(",", ":"))
    return pack.changed(
        size=len(rows), last_id=ended.pipeline_id, packed=b64encode(zlib.compress(text.encode())).decode()
    )


def unpacked(pack: PackItem) -> list[Ended]:
    """In the order in which they ended."""
    return [_ended_of(row) for row in _rows(pack)]


def _rows(pack: PackItem) -> list[dict[str, Any]]:
    if not pack.packed:
        return []
    rows: list[dict[str, Any]] = json.loads(zlib.decompress(b64decode(pack.packed)))
    return rows


def _row_of(ended: Ended) -> dict[str, Any]:
    return ended._asdict() | {"tags": " ".join(ended.tags), "created_at": ended.created_at.isoformat()}


def _ended_of(row: Mapping[str, Any]) -> Ended:
    known: dict[str, Any] = {name: row.get(name) for name in Ended._fields}
    known |= {
        "tags": tuple(str(row["tags"]).split()),
        "created_at": datetime.fromisoformat(row["created_at"]),
    }
    return Ended(**known)


def _without_front_matter(request: str) -> str:
    lines = request.splitlines()
    if lines and lines[0].strip() == "---":
        ends: Sequence[int] = [place for place, line in enumerate(lines) if place and line.strip() == "---"]
        return "\n".join(lines[ends[0] + 1 :]) if ends else request
    return request
