"""DynamoDB as far as recordings go: a server that gives the recorded answers, in their order.

It runs in a process of its own, so that what it costs is nobody's. One call is played at a time, over and
over; a request that the recording does not have next is refused, and the contender with it.
"""

import json
import socket
import subprocess
import sys
from io import BufferedReader
from threading import Thread
from types import TracebackType
from typing import Self
from zlib import crc32

from tests.bench import recordings
from tests.bench.recordings import Exchanged
from tests.bench.worker import ROOT, environment

_HOST = "127.0.0.1"


class Stub:
    """The driver's side: starts the server and tells it which call comes next."""

    def __init__(self, file: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__, file],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env=environment(),
        )
        self.endpoint = f"http://{_HOST}:{self._heard()}"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.communicate()

    def play(self, tool: str) -> None:
        if self._process.stdin is None:
            raise RuntimeError("the stub was started without pipes")
        self._process.stdin.write(tool + "\n")
        self._process.stdin.flush()
        self._heard()

    def _heard(self) -> str:
        line = self._process.stdout.readline() if self._process.stdout else ""
        if not line:
            raise RuntimeError("the stub ended before it answered; its error is above")
        return line.strip()


class _Player:
    """What is played, and how far it has come. Contenders take turns, so that nobody has to wait."""

    def __init__(self) -> None:
        self._answers: list[tuple[bytes, bytes]] = []
        self._position = 0

    def play(self, answers: list[tuple[bytes, bytes]]) -> None:
        self._answers, self._position = answers, 0

    def answer(self, operation: bytes) -> bytes:
        expected, answer = self._answers[self._position]
        if operation != expected:
            return _http(b"400 Bad Request", {"__type": "NotRecorded", "message": operation.decode()})
        self._position = (self._position + 1) % len(self._answers)
        return answer


def main() -> None:
    every = {name: _answers(one.exchanged) for name, one in recordings.load(sys.argv[1]).items()}
    player = _Player()
    listener = socket.create_server((_HOST, 0))
    Thread(target=_accept, args=(listener, player), daemon=True).start()
    _say(str(listener.getsockname()[1]))
    for line in sys.stdin:
        player.play(every[line.strip()])
        _say("playing")


def _accept(listener: socket.socket, player: _Player) -> None:
    while True:
        connection, _ = listener.accept()
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        Thread(target=_serve, args=(connection, player), daemon=True).start()


def _serve(connection: socket.socket, player: _Player) -> None:
    with connection, connection.makefile("rb") as requests:
        while operation := _operation(requests):
            connection.sendall(player.answer(operation))


def _operation(requests: BufferedReader) -> bytes:
    """The operation of the next request, read to its end; nothing when there is none."""
    operation, length = b"", 0
    while (line := requests.readline()) not in (b"", b"\r\n"):
        name, _, value = line.partition(b":")
        if name.lower() == b"x-amz-target":
            operation = value.strip().rpartition(b".")[2]
        if name.lower() == b"content-length":
            length = int(value)
    requests.read(length)
    return operation


def _answers(exchanged: tuple[Exchanged, ...]) -> list[tuple[bytes, bytes]]:
    return [(one.operation.encode(), _http(b"200 OK", one.answer)) for one in exchanged]


def _http(status: bytes, answer: object) -> bytes:
    """With the headers that DynamoDB sends."""
    body = json.dumps(answer, separators=(",", ":")).encode()
    return (
        b"HTTP/1.1 %b\r\nServer: Server\r\nDate: Tue, 28 Jul 2026 12:00:00 GMT\r\n"
        b"Content-Type: application/x-amz-json-1.0\r\nContent-Length: %d\r\nConnection: keep-alive\r\n"
        b"x-amzn-RequestId: 6B5N7Q2K9F3T8R4VXW1Y0ZABCDEFGHJKMNPQRSTVWXYZ0123456\r\nx-amz-crc32: %d\r\n\r\n%b"
        % (status, len(body), crc32(body), body)
    )


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
