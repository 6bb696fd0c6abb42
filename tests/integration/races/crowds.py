"""Many who do the same at the same moment."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

ResultT = TypeVar("ResultT")


def at_once(number: int, act: Callable[[int], ResultT]) -> list[ResultT]:
    """What so many threads get that begin together; each is told its place."""
    start = Barrier(number)

    def begin(place: int) -> ResultT:
        start.wait()
        return act(place)

    with ThreadPoolExecutor(number) as pool:
        return list(pool.map(begin, range(number)))
