"""A real server on loopback that says, byte for byte, what a test tells it to."""

import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from ssl import SSLContext
from threading import Event, Lock, Thread
from typing import BinaryIO, NamedTuple

HOST = "127.0.0.1"


class Received(NamedTuple):
    connection: int
    line: str
    headers: Mapping[str, str]
    body: bytes


class LastWords(bytes):
    """An answer after which the server closes the connection, whether or not it was complete."""


Respond = Callable[[Received], bytes | None]
"""The bytes to send back; None closes the connection without a word."""


def http(body: bytes = b"{}", *, status: int = 200, **headers: str) -> bytes:
    """An answer as DynamoDB sends them; underscores in names of headers stand for dashes."""
    lines = [f"HTTP/1.1 {status} Said", f"Content-Length: {len(body)}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode() + body


def chunked(*pieces: bytes) -> bytes:
    head = b"HTTP/1.1 200 Said\r\nTransfer-Encoding: chunked\r\n\r\n"
    chunks = [b"%x;x=1\r\n%s\r\n" % (len(piece), piece) for piece in pieces]
    return b"".join([head, *chunks, b"0\r\nx-trailing: yes\r\n\r\n"])


@dataclass
class LocalServer:
    """Every connection has a thread; `ended` is set when the test is over, for answers that never come."""

    listener: socket.socket
    respond: Respond
    tls: SSLContext | None = None
    received: list[Received] = field(default_factory=list)
    ended: Event = field(default_factory=Event)
    _open: list[socket.socket] = field(default_factory=list)
    _threads: list[Thread] = field(default_factory=list)
    _lock: Lock = field(default_factory=Lock)

    @property
    def url(self) -> str:
        scheme = "https" if self.tls else "http"
        return f"{scheme}://{HOST}:{self.listener.getsockname()[1]}"

    @property
    def connections(self) -> int:
        return len(self._open)

    def close_connections(self) -> None:
        """As a server does with those that were idle for too long."""
        for connection in self._open:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def await_goodbyes(self) -> None:
        """Until every client has closed its connections; a test in which one does not never ends well."""
        for thread in self._threads:
            thread.join(30)
            assert not thread.is_alive()

    def accept(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self.listener.accept()
                if self.tls:
                    # It shakes hands with the first read, in its own thread.
                    connection = self.tls.wrap_socket(
                        connection, server_side=True, do_handshake_on_connect=False
                    )
                self._open.append(connection)
                thread = Thread(target=self._serve, args=(connection, len(self._open)))
                self._threads.append(thread)
                thread.start()

    def stop(self) -> None:
        self.ended.set()
        self.listener.shutdown(socket.SHUT_RDWR)
        self.close_connections()
        for thread in self._threads:
            thread.join()

    def _serve(self, connection: socket.socket, number: int) -> None:
        with suppress(OSError), connection, connection.makefile("rb") as stream:
            while (received := _read_request(stream, number)) is not None:
                with self._lock:
                    self.received.append(received)
                answer = self.respond(received)
                if answer is not None:
                    connection.sendall(answer)
                if answer is None or isinstance(answer, LastWords):
                    return


@contextmanager
def serving(respond: Respond, *, tls: SSLContext | None = None) -> Iterator[LocalServer]:
    with socket.create_server((HOST, 0), backlog=128) as listener:
        server = LocalServer(listener, respond, tls)
        accepting = Thread(target=server.accept)
        accepting.start()
        try:
            yield server
        finally:
            server.stop()
            accepting.join()


def _read_request(stream: BinaryIO, number: int) -> Received | None:
    line = stream.readline().decode().strip()
    if not line:
        return None
    headers = {}
    while header := stream.readline().decode("latin-1").strip():
        name, _, value = header.partition(":")
        headers[name.lower()] = value.strip()
    return Received(number, line, headers, stream.read(int(headers.get("content-length", "0"))))
