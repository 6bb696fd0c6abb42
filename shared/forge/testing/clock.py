"""A clock and an id source that tests decide."""

from datetime import UTC, datetime, timedelta
from itertools import count
from time import monotonic

# Far ahead: the emulator removes by the machine's own clock what is past its time to live.
NOON = datetime(2099, 7, 28, 12, 0, 0, tzinfo=UTC)


class FakeClock:
    def __init__(self, start: datetime = NOON) -> None:
        self._now = start

    def __call__(self) -> datetime:
        return self._now

    def advance(self, **duration: float) -> None:
        """`clock.advance(minutes=5)`."""
        self._now += timedelta(**duration)


class RunningClock(FakeClock):
    """Goes on by itself, as fast as the machine's, from the time that a test decides."""

    def __init__(self, start: datetime = NOON) -> None:
        super().__init__(start)
        self._began = monotonic()

    def __call__(self) -> datetime:
        return self._now + timedelta(milliseconds=int((monotonic() - self._began) * 1000))


class FakeIds:
    """`iss_000001`, `iss_000002`, …: prefixed, sortable, and the same in every run."""

    def __init__(self, digits: int = 6) -> None:
        """Real ones have 26."""
        self._digits = digits
        self._numbers = count(1)
        self.last = 0
        """The number of the last one: whatever is made from now on has a higher one."""

    def __call__(self, prefix: str) -> str:
        self.last = next(self._numbers)
        return f"{prefix}_{self.last:0{self._digits}}"

    def go_on_at(self, number: int) -> None:
        """For a deployment whose ids must not be those of another one."""
        self._numbers = count(number)
