"""Servers on this machine that answer as they are told, and remember what they were asked."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import socket
from ssl import SSLContext
from threading import Thread
from typing import Any

Page = tuple[int, dict[str, str], bytes]

HTML = {"Content-Type": "text/html; charset=utf-8"}


@dataclass(slots=True)
class Site:
    pages: dict[str, Page] = field(default_factory=dict)
    port: int = 0
    connections: int = 0
    asked: list[tuple[str, str, dict[str, str], bytes]] = field(default_factory=list)
    """Method, path, headers by names in lower case, body."""
    while_asked: Callable[[], object] = lambda: None
    """What happens before it answers."""


@contextmanager
def running_site(tls: SSLContext | None = None) -> Iterator[Site]:
    site = Site()

    class Server(ThreadingHTTPServer):
        def get_request(self) -> tuple[socket, Any]:
            site.connections += 1
            return super().get_request()

        def handle_error(self, request: Any, client_address: Any) -> None:
            """Whoever hangs up early has read enough."""

    server = Server(("127.0.0.1", 0), _handler(site))
    if tls:
        server.socket = tls.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    site.port = int(server.server_address[1])
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _handler(site: Site) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            # As servers read one that came twice.
            headers = {name.lower(): ", ".join(self.headers.get_all(name, [])) for name in self.headers}
            site.asked.append((self.command, self.path, headers, body))
            site.while_asked()
            status, said, content = site.pages.get(self.path, (404, {}, b""))
            self.send_response(status)
            for name, value in said.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def do_POST(self) -> None:
            self.do_GET()

        def log_message(self, format: str, *args: Any) -> None:
            """Tests say themselves what went wrong."""

    return Handler
