"""The one door to servers of others: what is private is refused, and nothing waits or reads without end.

The modules behind it are loaded with the first request: most processes never make one.
"""

from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING

from forge.outbound.orders import AnswerLimits, Connect, Order, Reply, Resolve

if TYPE_CHECKING:
    from ssl import SSLContext

    from forge.outbound.addresses import Exceptions


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
