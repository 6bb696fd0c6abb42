"""What is asked of a server of others, within which limits, and what it answers."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from socket import socket

Resolve = Callable[[str, int], list[str]]
"""The addresses of a name. It is asked once for each request: what it says the next time changes nothing."""


class Connect(Protocol):
    def __call__(self, address: str, port: int, *, seconds: float) -> "socket":
        """A connection to this very address, or an OSError."""


class Unreachable(Exception):
    """There was no answer, or none that can be understood."""


class AnswerLimits(NamedTuple):
    """Of one request with all its redirects: how long it takes, and how much of its answer is read."""

    seconds: float = 5.0
    bytes: int = 64 * 1024
    redirects: int = 0


class Order(NamedTuple):
    url: str
    method: str = "GET"
    headers: Mapping[str, str] = {}
    body: bytes | None = None


class Reply(NamedTuple):
    status: int
    headers: Mapping[str, str]
    """By names in lower case; of several with one name, the first."""
    body: bytes
    """The beginning, if it is longer than what may be read."""
    url: str
    """Where it came from in the end."""
