"""Bells: whoever works beside the server need not look again and again whether there is something to do."""

from collections import defaultdict
from threading import Event

MARKS = "marks"
"""Rung when something was written that others may have to be told of."""


class Bells:
    """By name; that of a queue is its URL. One that nobody rang may have been: look once in a while."""

    def __init__(self) -> None:
        self._events: defaultdict[str, Event] = defaultdict(Event)

    def ring(self, name: str) -> None:
        event = self._events[name]
        # Asking is a fraction of setting, and of a hundred writes one or two have to wake somebody.
        if not event.is_set():
            event.set()

    def wait(self, name: str, seconds: float) -> None:
        """Until it rings, or has rung since the last time, but no longer than that."""
        event = self._events[name]
        event.wait(seconds)
        event.clear()

    def ring_all(self) -> None:
        for name in list(self._events):
            self.ring(name)
