"""The socket that a local Forge listens on."""

import socket

from forge.cli.local.listening import listening


def test_answers_leave_at_once_on_a_kept_connection() -> None:
    with listening(0) as listener, socket.create_connection(listener.getsockname()):
        accepted, _ = listener.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
