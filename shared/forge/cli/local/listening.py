"""Sockets on loopback."""

import socket

HOST = "127.0.0.1"


def listening(port: int) -> socket.socket:
    """On this port, or on a free one for 0."""
    listener = socket.create_server((HOST, port))
    # Connections inherit it; asyncio sets it only where a socket names its protocol, and this one doesn't.
    # Without it, each answer on a kept connection waits for the client's delayed ACK.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
        return True
