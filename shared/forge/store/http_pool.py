"""Connections to one server: kept, used again by whichever thread comes next, replaced when stale."""

import select
import socket
from collections import deque
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit
from weakref import finalize

from forge import deadline
from forge.clock import system_now
from forge.store.answers import NoAnswer
from forge.store.http_replies import Dropped, Incoming, Reply, read_reply

if TYPE_CHECKING:
    from ssl import SSLContext

CONNECT_SECONDS = 1.0
READ_SECONDS = 2.0
MAX_KEPT = 32
MAX_IDLE = timedelta(seconds=60)
"""By the clock on the wall, which unlike others goes on while a function is frozen or a snapshot on disk."""

_SHORTEST_SECONDS = 0.05

_PORTS = {"http": 80, "https": 443}


class Server(NamedTuple):
    """Where to connect to, and how a request names it."""

    name: str
    port: int
    is_secure: bool
    host: str
    """As in the header of that name."""
    path: str

    @classmethod
    def at(cls, url: str) -> "Server":
        parts = urlsplit(url)
        if parts.scheme not in _PORTS or not parts.hostname:
            raise ValueError(f"{url} is no address of a server")
        default = _PORTS[parts.scheme]
        port = parts.port or default
        name = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
        host = name if port == default else f"{name}:{port}"
        path = f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
        return cls(parts.hostname, port, parts.scheme == "https", host, path)


class Connection:
    def __init__(self, connected: socket.socket) -> None:
        self._socket = connected
        self._watch = select.poll()
        self._watch.register(connected, select.POLLIN)
        self.idle_since: datetime | None = None

    def is_stale(self, now: datetime) -> bool:
        """Whether it was idle for too long, or something came, which between requests can only be its end."""
        idle = now - self.idle_since if self.idle_since else timedelta(0)
        return not timedelta(0) <= idle <= MAX_IDLE or bool(self._watch.poll(0))

    def exchange(self, request: bytes) -> Reply:
        try:
            self._socket.sendall(request)
        except TimeoutError as error:
            raise NoAnswer("the request could not be sent in time") from error
        except OSError as error:
            raise Dropped("the request could not be sent") from error
        return read_reply(Incoming(self._socket.recv))

    def close(self) -> None:
        self._socket.close()


class Pool:
    """For many threads: none waits for another's connection."""

    def __init__(
        self,
        server: Server,
        *,
        connect_seconds: float = CONNECT_SECONDS,
        read_seconds: float = READ_SECONDS,
        ca_file: str | None = None,
        now: Callable[[], datetime] = system_now,
    ) -> None:
        self.server = server
        self._connect_seconds = connect_seconds
        self._read_seconds = read_seconds
        self._ca_file = ca_file
        self._now = now
        self._kept: deque[Connection] = deque()
        finalize(self, _close_all, self._kept)

    def exchange(self, request: bytes) -> Reply:
        """Send it and read the answer; NoAnswer when there is none in time.

        A kept connection may have been closed by the server while the request was on its way to it. If
        nothing of an answer came, that says nothing about the server, and a new one is tried at once.
        """
        left = deadline.seconds_left()
        if left < self._read_seconds:
            return self._exchange_quickly(request, max(left, _SHORTEST_SECONDS))
        kept = self._take()
        if kept is not None:
            try:
                return self._use(kept, request)
            except Dropped:
                pass  # the next line tries again
        return self._use(self._open(self._connect_seconds, self._read_seconds), request)

    def _exchange_quickly(self, request: bytes, seconds: float) -> Reply:
        """Near the call's end: on a connection of its own, which waits no longer than the call does."""
        connection = self._open(min(seconds, self._connect_seconds), seconds)
        try:
            return connection.exchange(request)
        finally:
            connection.close()

    def _take(self) -> Connection | None:
        """The one that was used last: the others may become idle for good."""
        while True:
            try:
                connection = self._kept.pop()
            except IndexError:
                return None
            if not connection.is_stale(self._now()):
                return connection
            connection.close()

    def _use(self, connection: Connection, request: bytes) -> Reply:
        reply = None
        try:
            reply = connection.exchange(request)
        finally:
            if reply is not None and reply.may_stay and len(self._kept) < MAX_KEPT:
                connection.idle_since = self._now()
                self._kept.append(connection)
            else:
                connection.close()
        return reply

    def _open(self, connect_seconds: float, read_seconds: float) -> Connection:
        address = (self.server.name, self.server.port)
        try:
            connected = socket.create_connection(address, timeout=connect_seconds)
            connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if self.server.is_secure:
                connected = self._secured(connected)
        except OSError as error:
            raise NoAnswer(f"{self.server.host} could not be reached: {error}") from error
        connected.settimeout(read_seconds)
        return Connection(connected)

    def _secured(self, connected: socket.socket) -> socket.socket:
        try:
            return self._tls.wrap_socket(connected, server_hostname=self.server.name)
        except OSError:
            connected.close()
            raise

    @cached_property
    def _tls(self) -> "SSLContext":
        import ssl  # not loaded where everything is on this machine

        return ssl.create_default_context(cafile=self._ca_file)


def _close_all(kept: deque[Connection]) -> None:
    """A pool has no end of its own: it goes when nobody has it any more, and nobody else has these."""
    for connection in kept:
        connection.close()
