"""What signals mean to a worker: SIGTERM and Ctrl-C drain it, and a second one ends it."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from queue import SimpleQueue
from threading import Thread
from typing import Protocol

DRAIN, STOP = signal.SIGUSR2, signal.SIGUSR1
"""Each means always the same: they are for commands."""
_USUAL = (signal.SIGTERM, signal.SIGINT)


class Heeding(Protocol):
    def drain(self) -> None: ...

    def stop(self) -> None: ...


@contextmanager
def heeded(worker: Heeding) -> Iterator[None]:
    """By a thread of its own: the main one may hold any lock when a signal interrupts it."""
    heard: SimpleQueue[int] = SimpleQueue()
    before = {one: signal.signal(one, lambda how, _: heard.put(how)) for one in (*_USUAL, DRAIN, STOP)}
    Thread(target=_heed, args=(worker, heard), daemon=True).start()
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


def _heed(worker: Heeding, heard: "SimpleQueue[int]") -> None:
    was_told = False
    while True:
        how = heard.get()
        if how == STOP or (how in _USUAL and was_told):
            worker.stop()
        else:
            worker.drain()
        was_told = was_told or how in _USUAL
