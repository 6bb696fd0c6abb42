"""Reads HTTP/1.1 answers from bytes as they come.

By hand, because the standard library's client, which reads headers with the parser for e-mail, takes as long
as everything else that a request to DynamoDB costs.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from forge.store.answers import NoAnswer

_PIECE = 64 * 1024
_MOST_HEAD = 64 * 1024
_MOST_BODY = 32 * 1024 * 1024
"""Twice what DynamoDB ever answers."""


class Dropped(NoAnswer):
    """The connection ended before anything of an answer came."""


class Reply(NamedTuple):
    status: int
    headers: Mapping[str, str]
    body: bytes
    may_stay: bool
    """Whether the connection is good for another request."""


class Incoming:
    """What comes over a connection, taken in pieces of our choice instead of the network's."""

    def __init__(self, receive: Callable[[int], bytes]) -> None:
        """`receive` is that of a socket: nothing at the end, and OSError."""
        self._receive = receive
        self._has_come = False
        self.surplus = b""
        """What has come already, and was not taken."""

    def until(self, mark: bytes, *, most: int = _MOST_HEAD) -> bytes:
        """Everything before the next mark, which is passed over."""
        while (end := self.surplus.find(mark)) < 0:
            if len(self.surplus) > most:
                raise NoAnswer("the answer has no form")
            self.surplus += self._more(_PIECE)
        taken, self.surplus = self.surplus[:end], self.surplus[end + len(mark) :]
        return taken

    def exactly(self, count: int) -> bytes:
        pieces = [self.surplus[:count]]
        self.surplus = self.surplus[count:]
        missing = count - len(pieces[0])
        while missing:
            pieces.append(self._more(missing))
            missing -= len(pieces[-1])
        return b"".join(pieces) if len(pieces) > 1 else pieces[0]

    def to_the_end(self) -> bytes:
        taken, self.surplus = self.surplus, b""
        while piece := self._next(_PIECE):
            taken += piece
            if len(taken) > _MOST_BODY:
                raise NoAnswer("the answer does not end")
        return taken

    def _more(self, most: int) -> bytes:
        piece = self._next(most)
        if not piece:
            raise self._broken_off()
        self._has_come = True
        return piece

    def _next(self, most: int) -> bytes:
        try:
            return self._receive(most)
        except TimeoutError as error:
            raise NoAnswer("the answer did not come in time") from error
        except OSError as error:
            raise self._broken_off() from error

    def _broken_off(self) -> NoAnswer:
        return NoAnswer("the answer broke off") if self._has_come else Dropped("there was no answer")


def read_reply(incoming: Incoming) -> Reply:
    while True:
        version, status, headers = _read_head(incoming)
        if status >= 200:
            break
    body = _read_body(incoming, headers)
    is_framed = "content-length" in headers or "transfer-encoding" in headers
    is_closing = headers.get("connection", "").lower() == "close"
    # Bytes beyond the answer would be taken for the beginning of the next one.
    may_stay = version == "HTTP/1.1" and is_framed and not is_closing and not incoming.surplus
    return Reply(status, headers, body, may_stay)


def _read_head(incoming: Incoming) -> tuple[str, int, dict[str, str]]:
    first, *lines = incoming.until(b"\r\n\r\n").decode("latin-1").split("\r\n")
    version, _, rest = first.partition(" ")
    if not version.startswith("HTTP/1.") or not rest[:3].isdecimal():
        raise NoAnswer("the answer is not HTTP")
    headers = {}
    for line in lines:
        name, _, value = line.partition(":")
        headers[name.lower()] = value.strip()
    return version, int(rest[:3]), headers


def _read_body(incoming: Incoming, headers: Mapping[str, str]) -> bytes:
    if "transfer-encoding" in headers:
        return _read_chunks(incoming)
    if "content-length" not in headers:
        return incoming.to_the_end()
    return incoming.exactly(_length(headers["content-length"], base=10))


def _read_chunks(incoming: Incoming) -> bytes:
    body = b""
    while size := _length(incoming.until(b"\r\n").partition(b";")[0].decode("latin-1"), base=16):
        body += incoming.exactly(size)
        if incoming.exactly(2) != b"\r\n" or len(body) > _MOST_BODY:
            raise NoAnswer("the answer's chunks have no form")
    while incoming.until(b"\r\n"):
        """Trailing headers say nothing that is needed here."""
    return body


def _length(text: str, *, base: int) -> int:
    try:
        length = int(text, base)
    except ValueError:
        length = -1
    if not 0 <= length <= _MOST_BODY:
        raise NoAnswer("the answer says no length that can be")
    return length
