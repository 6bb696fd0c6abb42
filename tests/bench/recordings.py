"""A recorded call: the event, what it asked of DynamoDB and was told, and what it answered.

Free of third-party imports, because it is read in the peers' environment too.
"""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

VARIABLE = "FORGE_BENCH_RECORDINGS"
"""Tells a contender where the file is."""


@dataclass(frozen=True, slots=True)
class Exchanged:
    """One request as a client takes it, and its answer."""

    operation: str
    parameters: dict[str, Any]
    answer: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Recording:
    tool: str
    event: dict[str, Any]
    exchanged: tuple[Exchanged, ...]
    body: str
    now: str
    """What the clock said all the time."""
    last_id: int
    """The number of the id that was made last before the call."""

    @classmethod
    def from_document(cls, document: dict[str, Any]) -> "Recording":
        exchanged = tuple(Exchanged(**one) for one in document["exchanged"])
        return cls(**document | {"exchanged": exchanged})


def save(recordings: list[Recording], file: Path) -> None:
    file.write_text(json.dumps([asdict(recording) for recording in recordings]))


def load(file: str | Path) -> dict[str, Recording]:
    """By tool."""
    found = [Recording.from_document(document) for document in json.loads(Path(file).read_text())]
    return {recording.tool: recording for recording in found}
