"""The way of `forge dev` to its own AWS: frames on kept connections, without HTTP, a signature or botocore.

Whoever connects says the secret of this run first, or is not answered; no browser can begin with it. What is
asked, and what is answered, is as on the public port.
"""

import json
import re
import socket
import struct
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from forge import deadline
from forge.cli.local.bells import MARKS, Bells
from forge.store.answers import NoAnswer, TableAnswer
from forge.store.http_pool import CONNECT_SECONDS, MAX_KEPT, READ_SECONDS
from forge.store.readings import Attributes

ASKED = struct.Struct(">HI")
"""How long the name of what is asked is, and its body; both follow."""
ANSWERED = struct.Struct(">HI")
"""The status, and how long the body is that follows."""
TABLES, QUEUES, STREAM = "DynamoDB_20120810", "AmazonSQS", "Stream"
NEW_IMAGES = f"{STREAM}.NewImages"
_FOLLOWED = (["OUTBOX"], ["LOG"])
"""Where marks are, and rows of builds without marks."""

_SHORTEST_SECONDS = 0.05
_RECEIVED = 1 << 16
_WORD_START = re.compile(r"(?:^|_)([a-z])")
_encode = json.JSONEncoder(separators=(",", ":")).encode


def is_followed(partition: str) -> bool:
    """Whether the relay looks at what is written there."""
    return partition.split("#", 3)[2:3] in _FOLLOWED


class _Dropped(Exception):
    """The other side hung up before it answered anything."""


class _Connection:
    """Waits in the kernel: a call to the system costs a turn of all threads, Python's time-out two."""

    def __init__(self, connected: socket.socket, seconds: float) -> None:
        self._socket = connected
        connected.settimeout(None)
        whole = int(seconds)
        longest = struct.pack("ll", whole, int((seconds - whole) * 1_000_000))
        for option in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
            connected.setsockopt(socket.SOL_SOCKET, option, longest)

    def exchange(self, request: bytes) -> TableAnswer:
        try:
            self._socket.sendall(request)
        except BlockingIOError as error:
            raise NoAnswer("the request could not be sent in time") from error
        except OSError as error:
            raise _Dropped from error
        received = self._receive(b"", ANSWERED.size)
        status, length = ANSWERED.unpack_from(received)
        received = self._receive(received, ANSWERED.size + length)
        return TableAnswer(status, received[ANSWERED.size :])

    def _receive(self, sofar: bytes, length: int) -> bytes:
        parts, count = [sofar], len(sofar)
        while count < length:
            try:
                more = self._socket.recv(_RECEIVED)
            except BlockingIOError as error:
                raise NoAnswer("there was no answer in time") from error
            except OSError:
                more = b""
            if not more:
                raise NoAnswer("the answer broke off") if count else _Dropped
            parts.append(more)
            count += len(more)
        return b"".join(parts) if len(parts) > 1 else sofar

    def close(self) -> None:
        self._socket.close()


class Channel:
    """For many threads: none waits for another's connection."""

    def __init__(self, listener: socket.socket, secret: str, bells: Bells) -> None:
        self._family, self._address = listener.family, listener.getsockname()
        self._secret = secret.encode()
        self._bells = bells
        self._kept: deque[_Connection] = deque()

    def ask_tables(self, operation: str, body: bytes) -> TableAnswer:
        """For `Connections.send`."""
        answer = self.ask(f"{TABLES}.{operation}", body)
        if operation == "TransactWriteItems":
            self._bells.ring(MARKS)
        return answer

    def ask(self, target: str, body: bytes) -> TableAnswer:
        name = target.encode()
        request = ASKED.pack(len(name), len(body)) + name + body
        left = deadline.seconds_left()
        if left < READ_SECONDS:
            return self._ask_quickly(request, max(left, _SHORTEST_SECONDS))
        kept = self._take()
        if kept is not None:
            try:
                return self._use(kept, request)
            except _Dropped:
                pass  # it was idle while the other side was started anew
        try:
            return self._use(self._open(READ_SECONDS), request)
        except _Dropped as error:
            raise NoAnswer("the embedded AWS hung up") from error

    def _ask_quickly(self, request: bytes, seconds: float) -> TableAnswer:
        """Near the call's end: on a connection of its own, which waits no longer than the call does."""
        connection = self._open(seconds)
        try:
            return connection.exchange(request)
        except _Dropped as error:
            raise NoAnswer("the embedded AWS hung up") from error
        finally:
            connection.close()

    def queues(self) -> "QueueClient":
        return QueueClient(self, self._bells)

    def close(self) -> None:
        while self._kept:
            self._kept.pop().close()

    def _take(self) -> _Connection | None:
        try:
            return self._kept.pop()
        except IndexError:
            return None

    def _use(self, connection: _Connection, request: bytes) -> TableAnswer:
        answer = None
        try:
            answer = connection.exchange(request)
        finally:
            if answer is not None and len(self._kept) < MAX_KEPT:
                self._kept.append(connection)
            else:
                connection.close()
        return answer

    def _open(self, seconds: float) -> _Connection:
        connected = socket.socket(self._family)
        try:
            connected.settimeout(min(seconds, CONNECT_SECONDS))
            connected.connect(self._address)
            if self._family == socket.AF_INET:
                connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connected.sendall(self._secret)
        except OSError as error:
            connected.close()
            raise NoAnswer(f"the embedded AWS could not be reached: {error}") from error
        return _Connection(connected, seconds)


class QueueClient:
    """What botocore's client of SQS offers, by its names."""

    def __init__(self, channel: Channel, bells: Bells) -> None:
        self._channel = channel
        self._bells = bells

    def __getattr__(self, name: str) -> Callable[..., Any]:
        operation = _WORD_START.sub(lambda found: found[1].upper(), name)

        def call(**parameters: Any) -> Any:
            answer = self._channel.ask(f"{QUEUES}.{operation}", _encode(parameters).encode())
            content = json.loads(answer.body)
            if answer.status != 200:
                raise _refusal(operation, answer.status, content)
            if operation.startswith("SendMessage") and not parameters.get("DelaySeconds"):
                self._bells.ring(parameters["QueueUrl"])
            return content

        return call


def _refusal(operation: str, status: int, content: dict[str, Any]) -> Exception:
    from botocore.exceptions import ClientError

    code = str(content.get("__type") or status).rpartition("#")[2]
    said: Any = {
        "Error": {"Code": code, "Message": content.get("message", "")},
        "ResponseMetadata": {"HTTPStatusCode": status},
    }
    return ClientError(said, operation)


class ChannelFollower:
    """Follows the table's stream from now on."""

    def __init__(self, channel: Channel, table_name: str) -> None:
        self._channel = channel
        self._request: dict[str, Any] = {"table": table_name}
        self._position: int = self._ask()["position"]

    def new_images(self) -> Iterator[Attributes]:
        """Every item that the relay looks at and that was written since the last call, as it became."""
        found = self._ask(position=self._position)
        self._position = found["position"]
        yield from found["images"]

    def _ask(self, **more: int) -> Any:
        answer = self._channel.ask(NEW_IMAGES, _encode(self._request | more).encode())
        if answer.status != 200:
            raise NoAnswer(f"the stream could not be read: {answer.body!r}")
        return json.loads(answer.body)
