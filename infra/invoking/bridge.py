"""A way from containers to what listens on loopback, for as long as an invocation takes.

The embedded AWS listens on loopback alone. Docker Desktop leads `host.docker.internal` there by itself; on
Linux that name is the gateway of Docker's bridge, on which nobody listens. So somebody does here: it passes
bytes on, and who may ask is still decided by their signature.
"""

import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from socketserver import BaseRequestHandler, ThreadingTCPServer
from threading import Thread

from forge.cli.local.listening import HOST

USUAL_GATEWAY = "172.17.0.1"
_GATEWAY = "{{(index .IPAM.Config 0).Gateway}}"
_CHUNK = 65_536
_LOOK_SECONDS = 0.05
"""How often it looks whether it shall end."""


def gateway() -> str:
    """The address of this machine on Docker's bridge."""
    command = ["docker", "network", "inspect", "bridge", "--format", _GATEWAY]
    with suppress(OSError):
        asked = subprocess.run(command, capture_output=True, text=True, check=False)
        if asked.returncode == 0 and asked.stdout.strip():
            return asked.stdout.strip()
    return USUAL_GATEWAY


@contextmanager
def bridged(port: int, address: str) -> Iterator[bool]:
    """Lead this address to the same port on loopback; False where this machine has no such address."""

    class _PassOn(BaseRequestHandler):
        def handle(self) -> None:
            with socket.create_connection((HOST, port)) as here:
                back = Thread(target=_pump, args=(here, self.request), daemon=True)
                back.start()
                _pump(self.request, here)
                back.join()

    try:
        server = ThreadingTCPServer((address, port), _PassOn)
    except OSError:
        yield False
        return
    server.daemon_threads = True
    with server:
        Thread(target=server.serve_forever, args=(_LOOK_SECONDS,), daemon=True).start()
        try:
            yield True
        finally:
            server.shutdown()


def _pump(source: socket.socket, target: socket.socket) -> None:
    # Whoever hangs up ends it.
    with suppress(OSError):
        while part := source.recv(_CHUNK):
            target.sendall(part)
        target.shutdown(socket.SHUT_WR)
