"""The one door to servers of others: what is private is refused, and nothing waits or reads without end.

The modules behind it are loaded with the first request: most processes never make one.
"""

from collections.abc import Callable, Mapping
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from socket import socket
    from ssl import SSLContext

    from forge.outbound.addresses import Exceptions

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


class Outbound:
    """Sends to where a URL leads, if every address behind it is public or excepted.

    How names are looked up, connections are made and certificates are judged are parameters for tests.
    """

    def __init__(
        self,
        resolve: Resolve | None = None,
        connect: Connect | None = None,
        tls: "Callable[[], SSLContext] | None" = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._resolve = resolve
        self._connect = connect
        self._tls = tls
        self._clock = clock

    def send(
        self, order: Order, *, limits: AnswerLimits | None = None, allow: "Exceptions | None" = None
    ) -> Reply:
        """The answer; Disallowed where nothing was sent, Unreachable where nothing came back in time."""
        from forge.outbound import exchanges, sockets

        way = exchanges.Way(
            resolve=self._resolve or sockets.resolve,
            connect=self._connect or sockets.connect,
            tls=self._tls or sockets.verifying,
            clock=self._clock,
        )
        return exchanges.exchange(way, order, limits or AnswerLimits(), allow)
