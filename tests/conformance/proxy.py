"""A loopback proxy that adds a key to every request, because the suite has no way to send one.

Everything else passes byte for byte: Host and Origin, and the spaces around header values.
"""

import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import Thread
from typing import BinaryIO

HOST = "127.0.0.1"

_CHUNK_BYTES = 65536


@contextmanager
def proxying(server_port: int, key: str) -> Iterator[int]:
    """The proxy's port."""
    authorization = f"Authorization: Bearer {key}\r\n".encode()

    def serve(client: socket.socket) -> None:
        # Whoever hangs up in the middle of a request has no use for its answer.
        with suppress(OSError), client, socket.create_connection((HOST, server_port)) as server:
            _connect(client, server, authorization)

    with socket.create_server((HOST, 0)) as listener:
        Thread(target=_accept, args=(listener, serve), daemon=True).start()
        yield listener.getsockname()[1]


def _accept(listener: socket.socket, serve: Callable[[socket.socket], None]) -> None:
    with suppress(OSError):
        while True:
            client, _ = listener.accept()
            Thread(target=serve, args=(client,), daemon=True).start()


def _connect(client: socket.socket, server: socket.socket, authorization: bytes) -> None:
    # An answer comes in two parts, head and body; the second must not wait for the first's receipt.
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    answers = Thread(target=_pass_on, args=(server, client), daemon=True)
    answers.start()
    with client.makefile("rb") as reader:
        while head := _read_head(reader):
            body = reader.read(_length_of_body(head))
            server.sendall(b"".join([*head, authorization, b"\r\n", body]))
    server.shutdown(socket.SHUT_WR)
    answers.join()


def _pass_on(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while chunk := source.recv(_CHUNK_BYTES):
            target.sendall(chunk)
        target.shutdown(socket.SHUT_RDWR)


def _read_head(reader: BinaryIO) -> list[bytes]:
    """The request line and the header lines; nothing when the client has gone."""
    head = []
    while (line := reader.readline()) not in (b"\r\n", b""):
        head.append(line)
    return head


def _length_of_body(head: Sequence[bytes]) -> int:
    for line in head:
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            return int(value)
    return 0
