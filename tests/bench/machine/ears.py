"""A receiver of webhooks that remembers of what it heard."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any


@dataclass(slots=True)
class Ear:
    port: int = 0
    heard: set[str] = field(default_factory=set)
    """What each post was about."""


class _Server(ThreadingHTTPServer):
    # Of five, which is the default, each further one waits for a second.
    request_queue_size = 128


@contextmanager
def listening_ear() -> Iterator[Ear]:
    ear = Ear()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            ear.heard.add(json.loads(body)["subjectId"])
            self.send_response(204)
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            """Nobody reads it."""

    server = _Server(("127.0.0.1", 0), Handler)
    ear.port = int(server.server_address[1])
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield ear
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
