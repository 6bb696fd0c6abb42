"""Credentials where a function or a container finds them; everything else is botocore's to find."""

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from forge.clock import system_now
from forge.store.answers import NoAnswer
from forge.store.http_pool import Pool, Server
from forge.store.signing import Credentials

Source = Callable[[], Credentials]

EARLY = timedelta(minutes=5)
"""So long before their end, credentials are replaced."""
_PAUSE = timedelta(seconds=10)
"""Between two attempts to replace credentials that still count."""

# What is asked for by name comes before what the machine offers.
_ASKED_FOR = (
    "AWS_CONFIG_FILE",
    "AWS_DEFAULT_PROFILE",
    "AWS_PROFILE",
    "AWS_SHARED_CREDENTIALS_FILE",
    "AWS_WEB_IDENTITY_TOKEN_FILE",
)
_CONTAINER_HOST = "http://169.254.170.2"
# In the clear only on this machine, or to the addresses where ECS and EKS have their agents.
_TRUSTED = frozenset({"127.0.0.1", "localhost", "::1", "169.254.170.2", "169.254.170.23", "fd00:ec2::23"})


def find_source(environment: Mapping[str, str], *, now: Callable[[], datetime] = system_now) -> Source | None:
    """Where this environment has its credentials; None where only botocore can tell."""
    access_key, secret_key = (
        environment.get(f"AWS_{name}") for name in ("ACCESS_KEY_ID", "SECRET_ACCESS_KEY")
    )
    if access_key and secret_key:
        given = Credentials(access_key, secret_key, environment.get("AWS_SESSION_TOKEN") or None)
        return lambda: given
    if any(name in environment for name in _ASKED_FOR):
        return None
    url = environment.get("AWS_CONTAINER_CREDENTIALS_FULL_URI")
    if relative := environment.get("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"):
        url = _CONTAINER_HOST + relative
    return Container(url, environment, now) if url and _is_trusted(url) else None


class Expiring(NamedTuple):
    credentials: Credentials
    until: datetime


class Container:
    """Credentials that an agent beside us hands out, and that end; fetched with the first request."""

    def __init__(self, url: str, environment: Mapping[str, str], now: Callable[[], datetime]) -> None:
        self._pool = Pool(Server.at(url), now=now)
        self._environment = environment
        self._now = now
        self._lock = Lock()
        self._held: Expiring | None = None
        self._next_attempt = now()

    def __call__(self) -> Credentials:
        held = self._held
        if held is not None and self._now() < min(held.until, self._next_attempt):
            return held.credentials
        with self._lock:
            return self._renewed().credentials

    def _renewed(self) -> Expiring:
        now, held = self._now(), self._held
        still_counts = held if held is not None and now < held.until else None
        if still_counts and now < self._next_attempt:
            return still_counts  # another thread was first
        self._next_attempt = now + _PAUSE
        try:
            self._held = fetched = self._fetch()
        except NoAnswer:
            if still_counts:
                return still_counts
            raise
        self._next_attempt = max(self._next_attempt, fetched.until - EARLY)
        return fetched

    def _fetch(self) -> Expiring:
        server = self._pool.server
        token = self._token()
        lines = [f"GET {server.path} HTTP/1.1", f"host: {server.host}", "accept: application/json"]
        lines += [f"authorization: {token}"] if token else []
        reply = self._pool.exchange("".join(f"{line}\r\n" for line in [*lines, ""]).encode())
        if reply.status != 200:
            raise NoAnswer(f"no credentials: {server.host} answered {reply.status}")
        try:
            return _expiring(json.loads(reply.body))
        except (ValueError, KeyError, TypeError) as error:
            raise NoAnswer("no credentials: the answer has another form") from error

    def _token(self) -> str | None:
        """Read anew each time: whoever writes the file replaces it."""
        file = self._environment.get("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE")
        try:
            token = Path(file).read_text(encoding="utf-8").strip() if file else None
        except OSError as error:
            raise NoAnswer(f"no credentials: {file} can't be read") from error
        token = token or self._environment.get("AWS_CONTAINER_AUTHORIZATION_TOKEN")
        if token and not token.isprintable():
            raise NoAnswer("no credentials: the token to ask for them is no single line")
        return token


def _expiring(answer: Mapping[str, str]) -> Expiring:
    until = datetime.fromisoformat(answer["Expiration"])
    return Expiring(
        Credentials(answer["AccessKeyId"], answer["SecretAccessKey"], answer.get("Token")),
        until if until.tzinfo else until.replace(tzinfo=UTC),
    )


def _is_trusted(url: str) -> bool:
    server = Server.at(url)
    return server.is_secure or server.name in _TRUSTED
