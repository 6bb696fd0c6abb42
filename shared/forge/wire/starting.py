"""Opens what a function needs: on Lambda while it is initialised, elsewhere with the first event."""

import gc
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

from forge.clock import system_now
from forge.wire.journal import Journal

OpenedT = TypeVar("OpenedT")


def is_on_lambda() -> bool:
    return "AWS_LAMBDA_FUNCTION_NAME" in os.environ


@contextmanager
def made_for_good() -> Iterator[None]:
    """What is made meanwhile lives as long as the process: nobody looks for garbage in it, now or later.

    That is a fifth of a start, for a few hundred objects, and 7 % of every call.
    """
    gc.disable()
    try:
        yield
        gc.freeze()
    finally:
        gc.enable()


class Start(Generic[OpenedT]):
    """What was opened, or why not.

    A failure during initialisation is kept for the first event: raised there and then, it would be a dead
    import, which Lambda tries again at every call and tells the caller as a 502 without a reason.
    """

    def __init__(self, open_all: Callable[[], OpenedT]) -> None:
        self._open_all = open_all
        self._opened: list[OpenedT] = []
        self._failures: list[Exception] = []
        if is_on_lambda():
            self._begin()

    def _begin(self) -> None:
        try:
            with made_for_good():
                self._opened.append(self._open_all())
        except Exception as failure:  # noqa: BLE001 - kept, and raised under the one net with the first event
            self._failures.append(failure)

    def opened(self, request_id: Callable[[], str]) -> OpenedT:
        """A failure is logged with its traceback and raised as `internal`; the next event tries again."""
        if not self._opened:
            self._opened.append(Journal(system_now).shielded(request_id(), self._try_again))
        return self._opened[0]

    def _try_again(self) -> OpenedT:
        if self._failures:
            raise self._failures.pop()
        return self._open_all()
