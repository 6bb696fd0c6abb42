"""A GitHub on this machine, over real HTTP: it keeps what it is told, and pages, refuses and fails likewise.

with FakeGitHub() as github:
    app = github.add_repository("acme/app")
    app.add_issue("Ship", labels=["priority:high"])
    github.fails_once("POST", "/issues$", after_doing=True)
    …  # asked at github.base_url with github.token
    assert github.requests[-1].method == "POST"
"""

import json
import re
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any, NamedTuple, Self
from urllib.parse import parse_qsl

from forge.clock import system_now
from forge.testing.github_answers import NOT_FOUND, Asked, Said, answer, search
from forge.testing.github_repository import FakeRepository

TOKEN = "ghp_of_a_test"
_UNKNOWN_TOKEN = Said(401, {"message": "Bad credentials", "status": "401"})
_REPOSITORY = re.compile(r"/repos/([^/]+/[^/]+)(/.*)?")
_INSTALLATION = re.compile(r"/app/installations/([^/]+)/access_tokens")
_LONGEST_JWT = 600


class _Fault(NamedTuple):
    method: str
    pattern: re.Pattern[str]
    said: Said
    after_doing: bool


class _Installation(NamedTuple):
    app_id: str
    public_key: str


class FakeGitHub:
    """Asked by whoever has `token`, or a token of an installation that was added.

    `prefix` is the base's own path, as an enterprise's GitHub has one; `now` is its clock.
    """

    def __init__(
        self, *, token: str = TOKEN, prefix: str = "", now: Callable[[], datetime] = system_now
    ) -> None:
        self.token = token
        self.requests: list[Asked] = []
        """All that came, also those that failed."""
        self.issued: list[str] = []
        """Tokens that installations got."""
        self._prefix = prefix
        self._now = now
        self._repositories: dict[str, FakeRepository] = {}
        self._renamed: dict[str, str] = {}
        self._installations: dict[str, _Installation] = {}
        self._faults: list[_Fault] = []
        self._lock = Lock()
        self._server = _Server(("127.0.0.1", 0), _handler(self))
        self._thread = Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *failure: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}{self._prefix}"

    def add_repository(
        self, full_name: str, *, can_push: bool = True, web: str | None = None
    ) -> FakeRepository:
        """`web` is where people find it; else here."""
        here = f"http://127.0.0.1:{self.port}"
        made = FakeRepository(full_name, web=web or here, now=self._now, can_push=can_push)
        self._repositories[full_name.lower()] = made
        return made

    def rename(self, old: str, new: str) -> None:
        """From now on the old name leads to the new one."""
        repository = self._repositories.pop(old.lower())
        repository.full_name = new
        self._repositories[new.lower()] = repository
        self._renamed[old.lower()] = new

    def add_installation(self, installation_id: str, *, app_id: str, public_key: str) -> None:
        """Where an App is installed; the key is of the pair whose other half signs."""
        self._installations[installation_id] = _Installation(app_id, public_key)

    def fails_once(
        self,
        method: str,
        path_pattern: str,
        *,
        status: int = 502,
        headers: Mapping[str, str] | None = None,
        body: object = None,
        after_doing: bool = False,
    ) -> None:
        """The next request like this fails; `after_doing` does what it asks for, and then hangs up."""
        said = Said(status, body or {"message": "This is a test of failures."}, headers or {})
        self._faults.append(_Fault(method, re.compile(path_pattern), said, after_doing))

    def respond(self, asked: Asked, own_url: str) -> Said | None:
        """None is no answer at all."""
        with self._lock:
            self.requests.append(asked)
            fault = next((one for one in self._faults if _is_hit(one, asked)), None)
            if fault is None:
                return self._said(asked, own_url)
            self._faults.remove(fault)
            if not fault.after_doing:
                return fault.said
            self._said(asked, own_url)
            return None

    def under_base(self, path: str) -> str | None:
        """The path without the base's own; None where it is not under it."""
        return path.removeprefix(self._prefix) if path.startswith(f"{self._prefix}/") else None

    def _said(self, asked: Asked, own_url: str) -> Said:
        installed = _INSTALLATION.fullmatch(asked.path)
        if installed and asked.method == "POST":
            return self._install(installed[1], asked.token or "")
        if asked.token not in (self.token, *self.issued):
            return _UNKNOWN_TOKEN
        if asked.path == "/search/issues" and asked.method == "GET":
            return search(self._repositories, asked)
        found = _REPOSITORY.fullmatch(asked.path)
        if found is None:
            return NOT_FOUND
        name, rest = found[1], found[2] or ""
        if name.lower() in self._renamed:
            place = own_url.replace(f"/repos/{name}", f"/repos/{self._renamed[name.lower()]}", 1)
            status = 301 if asked.method == "GET" else 307
            return Said(status, {"message": "Moved Permanently", "url": place}, {"Location": place})
        repository = self._repositories.get(name.lower())
        return answer(repository, asked, rest, url=own_url) if repository else NOT_FOUND

    def _install(self, installation_id: str, signed: str) -> Said:
        import jwt

        installation = self._installations.get(installation_id)
        if installation is None:
            return NOT_FOUND
        own_clock = jwt.types.Options(verify_exp=False, verify_iat=False)
        try:
            claims = jwt.decode(signed, installation.public_key, algorithms=["RS256"], options=own_clock)
        except jwt.InvalidTokenError:
            return Said(401, {"message": "A JSON web token could not be decoded"})
        now = self._now().timestamp()
        is_timely = claims["iat"] <= now < claims["exp"] <= claims["iat"] + _LONGEST_JWT
        if not is_timely or claims["iss"] != installation.app_id:
            return Said(401, {"message": "'Expiration time' claim ('exp') is too far in the future"})
        self.issued.append(f"ghs_{installation_id}_{len(self.issued) + 1}")
        expires = (self._now() + timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M:%SZ")
        return Said(201, {"token": self.issued[-1], "expires_at": expires})


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        """Whoever hangs up early has read enough."""


def _is_hit(fault: _Fault, asked: Asked) -> bool:
    return fault.method == asked.method and fault.pattern.search(asked.path) is not None


def _handler(github: FakeGitHub) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def _answer(self) -> None:
            path, _, query = self.path.partition("?")
            content = self.rfile.read(int(self.headers.get("content-length") or 0))
            below = github.under_base(path)
            token = self.headers.get("authorization", "").removeprefix("Bearer ") or None
            body = json.loads(content) if content else None
            asked = Asked(self.command, below or path, dict(parse_qsl(query)), body, token)
            own_url = f"http://{self.headers['host']}{path}"
            said = github.respond(asked, own_url) if below is not None else NOT_FOUND
            if said is not None:
                self._send(said)

        def _send(self, said: Said) -> None:
            content = json.dumps(said.body).encode()
            self.send_response(said.status)
            headers = {"Content-Type": "application/json", **said.headers, "Content-Length": len(content)}
            for name, value in headers.items():
                self.send_header(name, str(value))
            self.end_headers()
            self.wfile.write(content)

        def do_GET(self) -> None:
            self._answer()

        def do_POST(self) -> None:
            self._answer()

        def do_PATCH(self) -> None:
            self._answer()

        def do_DELETE(self) -> None:
            self._answer()

        def log_message(self, format: str, *args: Any) -> None:
            """Tests say themselves what went wrong."""

    return Handler
