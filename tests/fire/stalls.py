"""How long nothing happens to an issue whose worker or child was killed."""

import time
from collections.abc import Collection, Iterable
from pathlib import Path
from statistics import median

TWO_HEARTBEATS = 60.0


class Stalls:
    """From the kill until the issue's agent begins again, or the issue is done."""

    def __init__(self) -> None:
        self._broken: dict[str, float] = {}
        self.lasted: list[tuple[float, str]] = []

    def broke(self, issues: Iterable[str]) -> None:
        """Whoever is killed twice before anything happened has waited since the first time."""
        for issue in issues:
            self._broken.setdefault(issue, time.monotonic())

    def look(self, begun: dict[str, float], still_open: Collection[str]) -> None:
        """`begun` is when each was last begun."""
        for issue, since in [*self._broken.items()]:
            if begun.get(issue, 0.0) > since:
                self._end(issue, begun[issue])
            elif issue not in still_open:
                self._end(issue, time.monotonic())

    def _end(self, issue: str, at: float) -> None:
        self.lasted.append((at - self._broken.pop(issue), issue))

    @property
    def problems(self) -> list[str]:
        stuck = [f"{issue} never went on." for issue in self._broken]
        longest = [
            f"{issue}: nothing happened for {seconds:.0f} s."
            for seconds, issue in self.lasted
            if seconds > TWO_HEARTBEATS
        ]
        return stuck + longest

    def __str__(self) -> str:
        if not self.lasted:
            return "nobody was stopped in its work"
        longest, issue = max(self.lasted)
        middle = median(seconds for seconds, _ in self.lasted)
        return (
            f"{len(self.lasted)} times somebody was stopped in its work, and it went on after {middle:.1f} s "
            f"(median), {longest:.1f} s at most ({issue}; two heartbeats are {TWO_HEARTBEATS:.0f} s)"
        )


def issue_of(process: int) -> str | None:
    """What a child works on."""
    try:
        around = Path(f"/proc/{process}/environ").read_bytes().split(b"\0")
    except OSError:
        return None
    found = (one.partition(b"=")[2].decode() for one in around if one.startswith(b"FORGE_ISSUE="))
    return next(found, None)
