"""Clients that keep their connection and ask one thing after the other, as agents do.

On bare sockets: on a machine of two cores, whatever a client needs is taken from the server.
"""

import json
import socket
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

HOST = "127.0.0.1"
_SECONDS = 60.0
_END = b"\r\n\r\n"
_LENGTH = b"content-length:"

Call = tuple[str, Mapping[str, Any]]
"""The name of a tool, and what it is given."""
Script = Callable[["Client"], Iterator[Call]]


class Failed(Exception):
    """A call that was not answered as it should be: measuring it would be measuring nothing."""


@dataclass(slots=True)
class Client:
    port: int
    key: str
    answers: int = 0
    last: Any = None
    """What was answered last."""
    _socket: socket.socket | None = field(default=None, repr=False)

    def call(self, tool: str, arguments: Mapping[str, Any], *, surface: str = "mcp") -> Any:
        body = json.dumps(arguments).encode()
        head = (
            f"POST /api/{surface}/{tool} HTTP/1.1\r\nHost: {HOST}:{self.port}\r\n"
            f"Authorization: Bearer {self.key}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        status, content = self._exchange(head.encode() + body)
        if status != 200:
            raise Failed(f"{tool}: {status} {content[:500]!r}")
        self.answers += 1
        self.last = json.loads(content)
        return self.last

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _exchange(self, request: bytes) -> tuple[int, bytes]:
        if self._socket is None:
            self._socket = socket.create_connection((HOST, self.port), _SECONDS)
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket.sendall(request)
        received = self._receive(b"", lambda sofar: _END in sofar)
        head, _, content = received.partition(_END)
        length = _length(head)
        return int(head[9:12]), self._receive(content, lambda sofar: len(sofar) >= length)

    def _receive(self, sofar: bytes, is_enough: Callable[[bytes], bool]) -> bytes:
        while not is_enough(sofar):
            more = self._socket.recv(1 << 16) if self._socket else b""
            if not more:
                raise Failed("the server hung up")
            sofar += more
        return sofar


def _length(head: bytes) -> int:
    for line in head.split(b"\r\n"):
        if line.lower().startswith(_LENGTH):
            return int(line[len(_LENGTH) :])
    raise Failed("an answer without a length")


def drive(clients: list[Client], script: Script, seconds: float) -> float:
    """All of them at once, for so long; how many calls a second were answered."""
    began = monotonic()
    before = sum(client.answers for client in clients)
    with ThreadPoolExecutor(len(clients)) as pool:
        for done in [pool.submit(_follow, client, script, began + seconds) for client in clients]:
            done.result()
    return (sum(client.answers for client in clients) - before) / (monotonic() - began)


def _follow(client: Client, script: Script, until: float) -> None:
    for tool, arguments in script(client):
        client.call(tool, arguments)
        if monotonic() >= until:
            return
