"""A connection that ends at a moment, however slowly the other side speaks, and never carries too much."""

import io
from collections.abc import Callable
from socket import socket

_MOST_READ = 1024 * 1024
"""Where less is asked for, too: headers and the marks between chunks count."""
_MOST_BESIDES = 256 * 1024
"""Headers and marks of an answer that may be longer than that."""


class Line:
    """As much of a socket as `http.client` needs; each step has what is left of the time."""

    def __init__(self, plain: socket, *, over_at: float, clock: Callable[[], float], wanted: int) -> None:
        self._plain = plain
        self._over_at = over_at
        self._clock = clock
        self._left = max(_MOST_READ, wanted + _MOST_BESIDES)

    def sendall(self, data: bytes) -> None:
        self._hurry()
        self._plain.sendall(data)

    def makefile(self, mode: str) -> io.BufferedReader:
        return io.BufferedReader(_Reader(self._receive))

    def close(self) -> None:
        """Nothing yet: `http.client` lets go of a connection before it has read the answer."""

    def hang_up(self) -> None:
        self._plain.close()

    def _receive(self, buffer: memoryview) -> int:
        self._hurry()
        if self._left <= 0:
            raise OSError("the answer is too long")
        size = self._plain.recv_into(buffer[: self._left])
        self._left -= size
        return size

    def _hurry(self) -> None:
        left = self._over_at - self._clock()
        if left <= 0:
            raise TimeoutError("the answer took too long")
        self._plain.settimeout(left)


class _Reader(io.RawIOBase):
    def __init__(self, receive: Callable[[memoryview], int]) -> None:
        self._receive = receive

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        return self._receive(memoryview(buffer))  # type: ignore[arg-type]  # any buffer, as io's own says
