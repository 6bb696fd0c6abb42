"""A line between workers and their server that is cut now and then, between an effect and its answer."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from random import Random
from threading import Lock, Thread

_CUT_ONE_IN = 60


class Line:
    def __init__(self, to: int, chance: Random) -> None:
        self._to = to
        self._chance = chance
        self._lock = Lock()
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=100)
        self.is_cutting = False
        self.cuts = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def serve(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            Thread(target=self._join, args=(near,), daemon=True).start()

    def close(self) -> None:
        self._listener.close()

    def _join(self, near: socket.socket) -> None:
        try:
            far = socket.create_connection(("127.0.0.1", self._to), timeout=5)
            far.settimeout(None)
        except OSError:
            near.close()
            return
        Thread(target=self._carry, args=(near, far), daemon=True).start()
        self._carry(far, near, may_cut=True)

    def _carry(self, source: socket.socket, target: socket.socket, *, may_cut: bool = False) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                if may_cut and self._is_cut():
                    break
                target.sendall(data)
        for end in (source, target):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def _is_cut(self) -> bool:
        with self._lock:
            cut = self.is_cutting and self._chance.randrange(_CUT_ONE_IN) == 0
            self.cuts += cut
            return cut


@contextmanager
def a_line(to: int, chance: Random) -> Iterator[Line]:
    line = Line(to, chance)
    Thread(target=line.serve, daemon=True).start()
    try:
        yield line
    finally:
        line.close()
