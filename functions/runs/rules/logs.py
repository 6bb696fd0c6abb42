"""Where a chunk of a run's log belongs, how much of the log is kept, and how much of it is shown at once."""

import json
from collections.abc import Iterable
from hashlib import sha256
from typing import NamedTuple

from forge.errors import Conflict, InvalidInput
from forge.store.items import Part
from forge.work.record.log import secrecy

MOST_KEPT = 8_000_000
"""Bytes. Beyond, only the newest are kept."""
LEAST_KEPT = 1_000_000
_MARKED_EVERY = 64_000
_REMEMBERED = 20
MOST_SHOWN = 30_000
"""Of the JSON of an answer."""
MOST_CHUNKS = 40


class Mark(Part):
    """How much stood before a chunk."""

    seq: int
    bytes: int


class Standing(NamedTuple):
    """How a log stands: enough to know whether a chunk follows, and what is kept."""

    next_seq: int = 0
    first_seq: int = 0
    bytes: int = 0
    """In all, also of what is not kept any more."""
    marks: tuple[Mark, ...] = ()
    hashes: tuple[str, ...] = ()
    """Of the last chunks, the newest last."""


class Place(NamedTuple):
    """Where a reader goes on: a chunk, and how many of its characters were read."""

    seq: int
    offset: int = 0

    def __str__(self) -> str:
        return f"{self.seq}:{self.offset}" if self.offset else str(self.seq)


def hash_of(chunk: str) -> str:
    return sha256(chunk.encode()).hexdigest()[:16]


def require_no_key(chunk: str) -> None:
    if secrecy.holds_key(chunk):
        raise InvalidInput(
            "This looks like a key or a token, and logs are read by many.",
            issues={"chunk": "Mask what is secret, and send it again with the same seq."},
        )


def is_there(standing: Standing, seq: int, chunk: str) -> bool:
    """Whether the chunk was appended before; one that does not follow, or says something else, is refused."""
    if seq > standing.next_seq:
        raise Conflict(
            f"There is a gap: chunk {standing.next_seq} comes next.",
            hint="Send what is missing first.",
            details={"reason": "gap", "expected": standing.next_seq},
        )
    if seq == standing.next_seq:
        return False
    behind = standing.next_seq - seq
    if behind <= len(standing.hashes) and standing.hashes[-behind] != hash_of(chunk):
        raise Conflict(
            f"Chunk {seq} is there, and says something else.",
            hint=f"Go on with chunk {standing.next_seq}.",
            details={"reason": "other", "expected": standing.next_seq},
        )
    return True


def appended(before: Standing, chunk: str) -> Standing:
    """With one more; what is too much goes from the beginning."""
    size = len(chunk.encode())
    last = before.marks[-1].bytes if before.marks else -_MARKED_EVERY
    is_marked = before.bytes - last >= _MARKED_EVERY
    marks = (*before.marks, Mark(seq=before.next_seq, bytes=before.bytes)) if is_marked else before.marks
    after = before._replace(
        next_seq=before.next_seq + 1,
        bytes=before.bytes + size,
        marks=marks,
        hashes=(*before.hashes, hash_of(chunk))[-_REMEMBERED:],
    )
    begins_at = marks[0].bytes
    if after.bytes - begins_at <= MOST_KEPT:
        return after
    newest = tuple(one for one in marks if after.bytes - one.bytes <= LEAST_KEPT + _MARKED_EVERY)
    kept = newest or marks[-1:]
    return after._replace(first_seq=kept[0].seq, marks=kept)


def place_of(after: str) -> Place:
    seq, _, offset = after.partition(":")
    return Place(int(seq), int(offset or 0))


def shown_from(standing: Standing, place: Place) -> Place:
    """The first that is kept of what was asked for."""
    return Place(standing.first_seq) if place.seq < standing.first_seq else place


def shown(texts: Iterable[tuple[int, str]], place: Place) -> tuple[list[tuple[int, str]], Place]:
    """As much of the chunks as an answer holds, and where the next one goes on."""
    found: list[tuple[int, str]] = []
    room = MOST_SHOWN
    for seq, whole in texts:
        offset = place.offset if seq == place.seq else 0
        text = whole[offset:]
        part = fitting(text, room)
        if part:
            found.append((seq, part))
        room -= _length_of(part)
        if len(part) < len(text):
            return found, Place(seq, offset + len(part))
        place = Place(seq + 1)
    return found, place


def _length_of(text: str) -> int:
    return len(json.dumps(text, ensure_ascii=False))


def fitting(text: str, room: int) -> str:
    """As much of a text as takes so much room in JSON, where one character may take six."""
    part = text[: max(room, 0)]
    while part and _length_of(part) > room:
        part = part[: len(part) * room // (_length_of(part) + 1)]
    return part
