"""What stops a run that is under way, from another thread; who listens later hears it, too."""

from collections.abc import Callable
from enum import StrEnum
from threading import Lock
from typing import NamedTuple

from forge.cli.worker.limits import Used


class Why(StrEnum):
    LIMIT = "limit"
    SILENCE = "silence"
    TAKEN_OVER = "taken over"
    TOLD = "told"
    """Forge wants it to stop."""
    ENDING = "ending"
    """The worker ends; the run goes on after its next start."""


class Halt(NamedTuple):
    why: Why
    text: str


class Progress(NamedTuple):
    """How far a run has come."""

    step: str = ""
    used: Used = Used()


Listener = Callable[[Halt], None]


class Reins:
    """`progress` is what can be seen of the run meanwhile."""

    def __init__(self) -> None:
        self.progress: Callable[[], Progress] = lambda: Progress("Preparing")
        self._lock = Lock()
        self._listener: Listener | None = None
        self.halt: Halt | None = None
        """The first that was asked for; the run has ended here then."""

    def pull(self, halt: Halt) -> None:
        with self._lock:
            if self.halt:
                return
            self.halt, listener = halt, self._listener
        if listener:
            listener(halt)

    def listen(self, listener: Listener | None) -> None:
        with self._lock:
            self._listener, halt = listener, self.halt
        if listener and halt:
            listener(halt)

    def forget(self, why: Why) -> None:
        """What was stopped for this reason may go on."""
        with self._lock:
            if self.halt and self.halt.why is why:
                self.halt = None
