"""An authorization server of a test: it lets everybody in, once for each code and each refresh token."""

import json
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any
from urllib.error import HTTPError
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit
from urllib.request import urlopen


@dataclass
class Authority:
    origin: str = ""
    lasts: int = 900
    issuer: str = ""
    """What it calls itself, where that is not what it is."""
    token_endpoint: str = ""
    forms: list[dict[str, str]] = field(default_factory=list)
    """What was sent to the token and revocation endpoints."""
    number: int = 0
    spent: bool = False
    """Whether it refuses every refresh token."""
    busy: int = 0
    """The status of its answers to who refreshes, where it can't just now."""
    _lock: Lock = field(default_factory=Lock)

    def answer(self, path: str, text: str) -> tuple[int, dict[str, Any]]:
        if path == "/.well-known/oauth-authorization-server/oauth":
            endpoints = {
                f"{name}_endpoint": f"{self.origin}/oauth/{path}"
                for name, path in (
                    ("authorization", "authorize"),
                    ("token", "token"),
                    ("revocation", "revoke"),
                )
            }
            elsewhere = {"token_endpoint": self.token_endpoint} if self.token_endpoint else {}
            return 200, {"issuer": self.issuer or f"{self.origin}/oauth", **endpoints, **elsewhere}
        form = {name: values[0] for name, values in parse_qs(text).items()}
        with self._lock:
            self.forms.append(form)
            return (200, {}) if path == "/oauth/revoke" else self._token(form)

    def _token(self, form: dict[str, str]) -> tuple[int, dict[str, Any]]:
        refreshes = form["grant_type"] == "refresh_token"
        if refreshes and self.busy:
            return self.busy, {"error": "temporarily_unavailable"}
        if refreshes and (self.spent or form["refresh_token"] != f"refresh-{self.number}"):
            return 400, {"error": "invalid_grant"}
        if not refreshes:
            challenge = urlsafe_b64encode(sha256(form["code_verifier"].encode()).digest()).rstrip(b"=")
            if form["code"] != f"code-{challenge.decode()}":
                return 400, {"error": "invalid_grant"}
        self.number += 1
        return 200, {
            "access_token": f"forge_sk_{self.number}",
            "token_type": "Bearer",
            "expires_in": self.lasts,
            "refresh_token": f"refresh-{self.number}",
        }

    def browse(self, address: str, **wrong: str | None) -> bool:
        """What a browser and its person do with the address: they say yes, and are sent back."""
        asked = dict(parse_qsl(urlsplit(address).query))
        usual = {
            "code": f"code-{asked['code_challenge']}",
            "state": asked["state"],
            "iss": f"{self.origin}/oauth",
        }
        answer = {name: value for name, value in (usual | wrong).items() if value is not None}
        with suppress(HTTPError):
            urlopen(f"{asked['redirect_uri']}?{urlencode(answer)}").close()
        return True

    @contextmanager
    def serve(self) -> Iterator["Authority"]:
        server = ThreadingHTTPServer(("127.0.0.1", 0), _handler_of(self))
        self.origin = f"http://127.0.0.1:{server.server_port}"
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield self
        finally:
            server.shutdown()
            server.server_close()
            thread.join()


def _handler_of(authority: Authority) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer("")

        def do_POST(self) -> None:
            self._answer(self.rfile.read(int(self.headers["content-length"])).decode())

        def _answer(self, text: str) -> None:
            status, body = authority.answer(self.path, text)
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.end_headers()
            self.wfile.write(json.dumps(body).encode())

        def log_message(self, format: str, *words: object) -> None:
            """Nothing."""

    return Handler
