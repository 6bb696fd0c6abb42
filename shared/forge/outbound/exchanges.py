"""One request and its redirects, each to an address that was judged: looked up once, connected to as it is.

A name that leads elsewhere the second time (DNS rebinding) gains nothing, because there is no second time.
"""

import http.client
import ipaddress
import ssl
from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Thread
from typing import NamedTuple

from forge.outbound import lines
from forge.outbound.addresses import NOBODY_ELSE, Address, Exceptions, literal_in, require_open
from forge.outbound.orders import AnswerLimits, Connect, Order, Reply, Resolve, Unreachable
from forge.outbound.targets import Target, target_of

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_GOES_ON_AS_GET = frozenset({301, 302, 303})


class Way(NamedTuple):
    """How the outside is reached."""

    resolve: Resolve
    connect: Connect
    tls: Callable[[], ssl.SSLContext]
    clock: Callable[[], float]


def exchange(way: Way, order: Order, limits: AnswerLimits, allow: Exceptions | None) -> Reply:
    exceptions = allow or NOBODY_ELSE
    over_at = way.clock() + limits.seconds
    target = target_of(order.url, allow=exceptions)
    for _ in range(limits.redirects + 1):
        addresses = _looked_up(way, target, over_at)
        require_open(addresses, target.host, exceptions)
        reply = _ask(way, target, addresses, order, limits, over_at)
        location = reply.headers.get("location")
        if reply.status not in _REDIRECTS or not location or not limits.redirects:
            return reply
        before, target = target, target.follow(location, allow=exceptions)
        order = _redirected(order, reply.status, is_elsewhere=before[:3] != target[:3])
    raise Unreachable(f"more than {limits.redirects} redirects")


def _redirected(order: Order, status: int, *, is_elsewhere: bool) -> Order:
    """What is asked next; headers were meant for whom they were sent to, and may hold secrets."""
    if is_elsewhere:
        shared = {name: value for name, value in order.headers.items() if name.lower() == "accept"}
        order = order._replace(headers=shared)
    return order._replace(method="GET", body=None) if status in _GOES_ON_AS_GET else order


def _looked_up(way: Way, target: Target, over_at: float) -> list[Address]:
    """In a thread, because the name service of the machine takes as long as it likes."""
    literal = literal_in(target.host)
    if literal is not None:
        return [literal]
    answers: SimpleQueue[list[str] | OSError | UnicodeError] = SimpleQueue()

    def look_up() -> None:
        try:
            answers.put(way.resolve(target.host, target.port))
        except (OSError, UnicodeError) as error:
            answers.put(error)

    Thread(target=look_up, daemon=True).start()
    try:
        found = answers.get(timeout=max(0.0, over_at - way.clock()))
    except Empty:
        raise Unreachable("the name was not looked up in time") from None
    if not isinstance(found, list) or not found:
        raise Unreachable("the name leads nowhere")
    # A zone after the address says which of our own networks; what has one is not everybody's.
    return list(dict.fromkeys(ipaddress.ip_address(one) for one in found))


def _ask(
    way: Way, target: Target, addresses: list[Address], order: Order, limits: AnswerLimits, over_at: float
) -> Reply:
    """From the first address that answers the call."""
    line = _connected(way, target, addresses, over_at, wanted=limits.bytes)
    try:
        return _spoken(line, target, order, limits)
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise Unreachable(str(error)) from error
    finally:
        line.hang_up()


def _connected(
    way: Way, target: Target, addresses: list[Address], over_at: float, *, wanted: int
) -> lines.Line:
    reason: Exception | None = None
    for address in addresses:
        left = over_at - way.clock()
        if left <= 0:
            break
        try:
            plain = way.connect(str(address), target.port, seconds=left)
        except OSError as error:
            reason = error
            continue
        try:
            secured = way.tls().wrap_socket(plain, server_hostname=target.host) if target.is_secure else plain
        except (OSError, ValueError) as error:
            plain.close()
            raise Unreachable(f"not secure: {error}") from error
        return lines.Line(secured, over_at=over_at, clock=way.clock, wanted=wanted)
    raise Unreachable("no connection in time") from reason


def _spoken(line: lines.Line, target: Target, order: Order, limits: AnswerLimits) -> Reply:
    connection = http.client.HTTPConnection(target.host, target.port)
    # What is there is used: so it neither looks up nor connects, and knows of no proxy.
    connection.sock = line
    own = {"Host": target.authority, "Accept-Encoding": "identity", "Connection": "close"}
    reserved = {name.lower() for name in own} | {"content-length", "transfer-encoding"}
    given = {name: value for name, value in order.headers.items() if name.lower() not in reserved}
    if not any(name.lower() == "user-agent" for name in given):
        given["User-Agent"] = "forge"
    headers = {**given, **own}
    connection.request(order.method, target.path, body=order.body, headers=headers)
    answer = connection.getresponse()
    body = _read(answer, limits.bytes)
    said = {name.lower(): value for name, value in reversed(answer.getheaders())}
    return Reply(answer.status, said, body, f"{target.scheme}://{target.authority}{target.path}")


def _read(answer: http.client.HTTPResponse, most: int) -> bytes:
    """The beginning; of an answer that ends early or takes too long, what came is as good."""
    parts: list[bytes] = []
    left = most
    try:
        while left > 0 and (part := answer.read1(left)):
            parts.append(part)
            left -= len(part)
    except (OSError, http.client.HTTPException, ValueError):
        if not parts:
            raise
    return b"".join(parts)
