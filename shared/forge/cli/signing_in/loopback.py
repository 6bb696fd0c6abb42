"""Where the browser comes back to: a port of this machine, for one answer."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from queue import Empty, SimpleQueue
from threading import Thread
from urllib.parse import parse_qsl, urlsplit

from forge.cli.signing_in.server import REDIRECT_PATH

Answer = dict[str, str]

_PAGE = """<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Forge</title>
<body style="font: 1rem system-ui; margin: 4rem auto; max-width: 30rem">
<h1 style="font-size: 1.2rem">{title}</h1><p>{words}</p></body></html>"""
_DONE = ("You are back at the terminal", "You can close this page; the command goes on there.")
_NOT_OURS = ("Nothing to see here", "This page is for a command that waits for somebody to sign in.")


class Landing:
    """What came back, from the browser or pasted into the terminal; the first that fits."""

    def __init__(self, port: int, fits: Callable[[Answer], bool]) -> None:
        self.redirect_uri = f"http://127.0.0.1:{port}{REDIRECT_PATH}"
        self._fits = fits
        self._answers: SimpleQueue[Answer] = SimpleQueue()

    def take(self, address: str) -> bool:
        """Whether it is the answer that is waited for. Anybody can send others, which change nothing."""
        try:
            parts = urlsplit(address.strip())
            pairs = parse_qsl(parts.query, keep_blank_values=True, max_num_fields=20)
        except ValueError:
            return False
        answer = dict(pairs)
        if parts.path != REDIRECT_PATH or len(answer) != len(pairs) or not self._fits(answer):
            return False
        self._answers.put(answer)
        return True

    def wait(self, seconds: float) -> Answer | None:
        try:
            return self._answers.get(timeout=seconds)
        except Empty:
            return None


@contextmanager
def landing(fits: Callable[[Answer], bool]) -> Iterator[Landing]:
    """Listens from the first moment: what the browser sends meanwhile waits in the queue of the port."""
    server = HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)
    place = Landing(server.server_port, fits)
    server.RequestHandlerClass = _handler_of(place)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield place
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _handler_of(place: Landing) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        timeout = 5

        def do_GET(self) -> None:
            is_it = place.take(self.path)
            title, words = _DONE if is_it else _NOT_OURS
            content = _PAGE.format(title=title, words=words).encode()
            self.send_response(200 if is_it else 404)
            self.send_header("content-type", "text/html; charset=utf-8")
            self.send_header("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'")
            # The address of this page holds the code.
            self.send_header("referrer-policy", "no-referrer")
            self.send_header("cache-control", "no-store")
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *words: object) -> None:
            """Nothing: the address holds the code, and a terminal is read by others."""

    return Handler
