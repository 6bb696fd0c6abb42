"""What a task of an agent cost when it was last played: `make capacity` writes it, a test plays it again."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from forge.testing.simulation.partitions import Order

RECORDED = Path(__file__).parent.parent.parent / "docs" / "examples" / "capacity.json"


@dataclass(frozen=True, slots=True)
class Place:
    """A partition that all tasks of a workspace share, and the units of one task there."""

    name: str
    index: str
    """Which index it is a partition of; none for the table itself."""
    keys: int
    """Partitions that share these units evenly."""
    order: Order
    written: float
    read: float
    hottest_written: float
    """Of it, what one item alone takes."""
    hottest_read: float

    def __str__(self) -> str:
        return f"{self.index} of {self.name}" if self.index else self.name


@dataclass(frozen=True, slots=True)
class Tool:
    calls: int
    """In one task."""
    written: float
    read: float
    requests: dict[str, float]
    """Of each operation, in one task."""


@dataclass(frozen=True, slots=True)
class Task:
    """Everything is of one task."""

    tools: dict[str, Tool]
    relay: Tool
    words: Tool
    dispatch: Tool
    places: list[Place]
    marks: float
    messages: dict[str, float]
    """By the queue that they are sent to."""

    @property
    def calls(self) -> int:
        return sum(one.calls for one in self.tools.values())

    @property
    def written(self) -> float:
        return sum(one.written for one in self._everything)

    @property
    def read(self) -> float:
        return sum(one.read for one in self._everything)

    @property
    def _everything(self) -> list[Tool]:
        return [*self.tools.values(), self.relay, self.words, self.dispatch]


def recorded_task() -> Task:
    return read_task(RECORDED.read_text(encoding="utf-8"))


def read_task(text: str) -> Task:
    said = json.loads(text)
    return Task(
        tools={name: Tool(**one) for name, one in said["tools"].items()},
        relay=Tool(**said["relay"]),
        words=Tool(**said["words"]),
        dispatch=Tool(**said["dispatch"]),
        places=[Place(**one | {"order": Order(one["order"])}) for one in said["places"]],
        marks=said["marks"],
        messages=said["messages"],
    )


def written_down(task: Task) -> str:
    return json.dumps(asdict(task), indent=1) + "\n"
