"""What the machine offers: its name service, its sockets, its trusted certificates. No proxies."""

import socket
import ssl
from functools import cache


def resolve(name: str, port: int) -> list[str]:
    found = socket.getaddrinfo(name, port, type=socket.SOCK_STREAM)
    return [str(place[0]) for *_, place in found]


def connect(address: str, port: int, *, seconds: float) -> socket.socket:
    """By number: nothing is looked up here."""
    return socket.create_connection((address, port), timeout=seconds)


@cache
def verifying() -> ssl.SSLContext:
    """Certificates must be good, and for the name that was asked for."""
    return ssl.create_default_context()
