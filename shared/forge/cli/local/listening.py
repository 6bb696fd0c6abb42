"""Sockets on loopback."""

import socket
import sys
from secrets import token_hex

from forge.clock import random_between

HOST = "127.0.0.1"
_NOBODYS = (20_000, 32_000)
"""Below what systems give to connections that ask for any port: so a free one stays free for a moment."""
_TRIES = 100


def listening(port: int) -> socket.socket:
    """On this port, or on a free one for 0."""
    listener = socket.create_server((HOST, port))
    # Connections inherit it; asyncio sets it only where a socket names its protocol, and this one doesn't.
    # Without it, each answer on a kept connection waits for the client's delayed ACK.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def listening_for_ourselves() -> socket.socket:
    """For processes of this run, at an address that it tells: on Linux no port, at half of what one costs."""
    if sys.platform != "linux":
        return listening(0)
    listener = socket.socket(socket.AF_UNIX)
    # A name that begins with zero is in no folder, and ends with whoever has it.
    listener.bind(f"\0forge-{token_hex(16)}")
    listener.listen()
    return listener


def is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
        return True


def free_port() -> int:
    """For a process that is started next."""
    for _ in range(_TRIES):
        port = int(random_between(*_NOBODYS))
        if is_free(port):
            return port
    raise OSError(f"none of {_TRIES} ports of this machine was free")
