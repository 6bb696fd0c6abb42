"""A command of the owner, from its beginning to its end: nothing of it stays, and its last lines are kept."""

import time
from collections import deque
from threading import Event, Thread
from typing import NamedTuple

from forge.cli.worker.processes.children import Child, Start

TAIL = 6_000
"""Characters; more lines than that are not kept, nor more of any."""
_MOST_LINES = 1_000
_LONGEST_LINE = 2**16
_LOOK_SECONDS = 0.1


class Ended(NamedTuple):
    code: int
    said: str
    """The end of what it printed."""
    complaints: str
    """The same of its standard error, where that went elsewhere."""
    is_late: bool
    is_stopped: bool


def ran(start: Start, *, seconds: float, stopping: Event) -> Ended:
    """Once it has ended, was too late, or must end because the worker does."""
    child, until = Child(start, ""), time.monotonic() + seconds
    late, lines = Event(), deque[str](maxlen=_MOST_LINES)

    def end_in_time() -> None:
        while not child.has_ended(_LOOK_SECONDS):
            if time.monotonic() >= until:
                late.set()
            if late.is_set() or stopping.is_set():
                child.stop()
                return

    Thread(target=end_in_time, daemon=True).start()
    for line in child.lines(_LONGEST_LINE):
        lines.append(line[-TAIL:])
    code = child.wait()
    is_stopped = stopping.is_set() and code != 0
    return Ended(code, "\n".join(lines)[-TAIL:], child.last_words(), late.is_set(), is_stopped)
