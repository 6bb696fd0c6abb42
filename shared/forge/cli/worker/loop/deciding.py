"""What a worker does next, from what it knows: no clock, no call, no file."""

from enum import StrEnum
from typing import NamedTuple


class Step(StrEnum):
    GO_ON = "go on"
    """With a run that was begun before."""
    LOOK = "look"
    """Whether there is work."""
    WAIT = "wait"
    END = "end"


class Known(NamedTuple):
    free: int
    """Slots."""
    busy: int
    due: int
    """Runs that can go on: interrupted ones, and those whose question was answered."""
    is_draining: bool = False
    has_looked: bool = False
    """Since anything happened that could mean work."""
    is_resting: bool = False
    """What it took last was given back, each time."""
    is_full: bool = False
    """It was started for one task, and has it, or there is none."""


def next_step(known: Known) -> Step:
    if known.is_draining or (known.is_full and not known.due):
        return Step.WAIT if known.busy else Step.END
    if known.free <= 0:
        return Step.WAIT
    if known.due:
        return Step.GO_ON
    return Step.WAIT if known.has_looked or known.is_resting else Step.LOOK


def pause_after(problems: int, poll_seconds: float) -> float:
    """Until it looks again: longer while something is wrong, so that it does not claim what it can't do."""
    return min(poll_seconds * 2.0 ** min(problems, 6), max(300.0, poll_seconds))


MOST_LOOKS, LOOKS_A_SECOND = 10, 0.5
"""In vain: at once so many, and then so often. A busy workspace rings all the time, and calls are counted."""


def looks_left(left: float, seconds: float) -> float:
    """After so long."""
    return min(MOST_LOOKS, left + seconds * LOOKS_A_SECOND)
