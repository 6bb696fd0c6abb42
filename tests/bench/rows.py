"""The table that `make bench` prints: a row per contest, and whether it keeps its budget."""

from collections.abc import Iterable
from dataclasses import dataclass

Unit = tuple[float, str]
MICROSECONDS: Unit = (1e6, "µs")
MILLISECONDS: Unit = (1e3, "ms")


@dataclass(frozen=True, slots=True)
class Contest:
    """One of our tasks, one of a peer's, and what part of the peer's cost is ours to spend."""

    what: str
    ours: str
    peer: str
    budget: float | None
    """None where the ratio is told but promised to nobody."""


@dataclass(frozen=True, slots=True)
class Row:
    what: str
    ours: str
    peer: str
    ratio: float
    budget: float | None

    @classmethod
    def of(cls, contest: Contest, ours: float, peer: float, unit: Unit) -> "Row":
        factor, name = unit
        shown = [f"{seconds * factor:,.1f} {name}" for seconds in (ours, peer)]
        return cls(contest.what, shown[0], shown[1], ours / peer, contest.budget)

    @property
    def is_within(self) -> bool:
        return self.budget is None or self.ratio <= self.budget

    def cells(self) -> tuple[str, ...]:
        if self.budget is None:
            return self.what, self.ours, self.peer, f"{self.ratio:.3f}", "-", ""
        verdict = "ok" if self.is_within else "over"
        return self.what, self.ours, self.peer, f"{self.ratio:.3f}", f"≤ {self.budget:.3f}", verdict


def table(rows: Iterable[Row]) -> str:
    lines = [("what", "ours", "peer", "ratio", "budget", ""), *(row.cells() for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "".join(_line(cells, widths) for cells in lines)


def _line(cells: tuple[str, ...], widths: list[int]) -> str:
    what, *numbers, verdict = cells
    padded = [number.rjust(width) for number, width in zip(numbers, widths[1:], strict=False)]
    return "  ".join([what.ljust(widths[0]), *padded, verdict]).rstrip() + "\n"
