"""Waiting without a clock."""

from collections.abc import Callable


class Waiting:
    """Passes the time of a world, and does something meanwhile."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.meanwhile: Callable[[], object] = lambda: None

    def __call__(self, seconds: float) -> None:
        self.seconds += seconds
        self.meanwhile()
