"""What follows from how a stretch of work ended: values in, values out."""

from enum import StrEnum
from typing import NamedTuple

from forge.cli.worker.agents.protocol import End

LIVE = frozenset({"ACTIVE", "WAITING"})
LOST_SESSIONS = 2
"""So often a session is tried to be resumed; then the work begins afresh, on the same branch."""
_FIRST_WAIT, _LONGEST_WAIT = 10.0, 300.0


class Then(StrEnum):
    HAND_IN = "hand in"
    """Look at what was done, and report it."""
    PARK = "park"
    AGAIN = "again"
    GIVE_BACK = "give back"
    CLOSE = "close"
    """It has ended elsewhere: keep what is here, and say nothing."""
    KEEP = "keep"
    """The worker stops: it goes on after the next start."""


class Stretch(NamedTuple):
    """How one ended."""

    end: End
    status: str
    """Of the run, at Forge."""
    failures: int
    """In a row, this one included."""
    attempts: int
    """How many are allowed."""
    is_stopping: bool = False


def after(stretch: Stretch) -> Then:
    if stretch.status not in LIVE:
        return Then.CLOSE
    if stretch.end in (End.ASKED, End.LIMIT) or stretch.status == "WAITING":
        return Then.PARK
    if stretch.end is End.DONE:
        return Then.HAND_IN
    if stretch.is_stopping:
        return Then.KEEP
    return Then.GIVE_BACK if stretch.failures >= stretch.attempts else Then.AGAIN


class Checking(NamedTuple):
    is_passed: bool
    rounds: int
    """How often the agent has been shown what failed."""
    most_rounds: int


def after_checks(checking: Checking) -> Then:
    if checking.is_passed:
        return Then.HAND_IN
    return Then.AGAIN if checking.rounds < checking.most_rounds else Then.GIVE_BACK


def seconds_before(failures: int) -> float:
    """Before the next attempt; the first comes at once."""
    return min(_FIRST_WAIT * 2.0 ** (failures - 1), _LONGEST_WAIT) if failures else 0.0


def is_resumable(*, session: str, lost: int) -> bool:
    return bool(session) and lost < LOST_SESSIONS
