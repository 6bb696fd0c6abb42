"""How long nothing happens: to an issue that was broken off, and to all of them."""

from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from statistics import median
from time import monotonic

TWO_HEARTBEATS = 60.0


class Stalls:
    """From the last kill until the issue's agent begins again, or the issue is done."""

    def __init__(self, tick: Callable[[], float] = monotonic) -> None:
        self._tick = tick
        self._broken: dict[str, float] = {}
        self._seen: tuple[float, frozenset[str]] = (0.0, frozenset())
        self._moved_at = tick()
        self.lasted: list[tuple[float, str]] = []

    def broke(self, issues: Iterable[str]) -> None:
        for issue in issues:
            self._broken[issue] = self._tick()

    def look(self, begun: Mapping[str, float], still_open: Collection[str]) -> None:
        """`begun` is when each was last begun."""
        now = self._tick()
        for issue, since in [*self._broken.items()]:
            if begun.get(issue, 0.0) > since:
                self._end(issue, begun[issue])
            elif issue not in still_open:
                self._end(issue, now)
        seen = (max(begun.values(), default=0.0), frozenset(still_open))
        if seen != self._seen or not still_open:
            self._lasted(now - self._moved_at, "any of them")
            self._seen, self._moved_at = seen, now

    def begin(self) -> None:
        """From now on, or from when somebody answers again; who is broken off is waited for all the same."""
        self._moved_at = self._tick()

    def _end(self, issue: str, at: float) -> None:
        self._lasted(at - self._broken.pop(issue), issue)

    def _lasted(self, seconds: float, what: str) -> None:
        self.lasted.append((seconds, what))

    @property
    def problems(self) -> list[str]:
        now = self._tick()
        stuck = [f"{issue} has not gone on for {now - since:.0f} s." for issue, since in self._broken.items()]
        longest = [
            f"{what}: nothing happened for {seconds:.0f} s."
            for seconds, what in self.lasted
            if seconds > TWO_HEARTBEATS
        ]
        return stuck + longest

    def __str__(self) -> str:
        own = [one for one in self.lasted if one[1] != "any of them"]
        if not own:
            return "nobody was stopped in its work"
        longest, issue = max(own)
        quiet = max(seconds for seconds, what in self.lasted if what == "any of them")
        return (
            f"{len(own)} times somebody was stopped in its work, and it went on after "
            f"{median(seconds for seconds, _ in own):.1f} s (median), {longest:.1f} s at most ({issue}); "
            f"nothing happened at all, though Forge answered, for {quiet:.1f} s at most; "
            f"two heartbeats are {TWO_HEARTBEATS:.0f} s"
        )


def issue_of(process: int) -> str | None:
    """What a child works on."""
    try:
        around = Path(f"/proc/{process}/environ").read_bytes().split(b"\0")
    except OSError:
        return None
    found = (one.partition(b"=")[2].decode() for one in around if one.startswith(b"FORGE_ISSUE="))
    return next(found, None)
