"""Where sessions are kept: one file that its owner alone can read, and a lock that processes share."""

import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from forge.cli.local.homes import write_private

_FILE, _LOCK = "sessions.json", "sessions.lock"
_SESSIONS, _CURRENT = "sessions", "current"


class Session(NamedTuple):
    """What signing in at a server gave: a key for a while, and what gives the next one."""

    client_id: str
    access_token: str
    refresh_token: str
    ends_at: datetime
    token_endpoint: str
    revocation_endpoint: str = ""
    resource: str = ""

    def written(self) -> dict[str, Any]:
        return {**self._asdict(), "ends_at": self.ends_at.isoformat()}


def folder(environment: Mapping[str, str] = os.environ) -> Path:
    """Where a user's programs keep what they know; FORGE_CONFIG names another place."""
    if named := environment.get("FORGE_CONFIG"):
        return Path(named)
    return Path(environment.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "forge"


def origin_of(url: str) -> str:
    """The server that an address is of, in one spelling; raises ValueError where it is none."""
    parts = urlsplit(url.strip())
    if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc:
        raise ValueError(f"{url!r} is no address of a server.")
    usual = {"http": 80, "https": 443}[parts.scheme]
    port = "" if parts.port in (None, usual) else f":{parts.port}"
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{parts.scheme}://{host}{port}"


class Sessions:
    """The sessions of one user on this machine, by server."""

    def __init__(self, place: Path | None = None) -> None:
        self._place = place or folder()

    def find(self, origin: str) -> Session | None:
        return _session(self._read()[_SESSIONS].get(origin))

    def current(self) -> str:
        """The server that was signed in to last; empty where there is none."""
        known = self._read()
        return str(known[_CURRENT]) if known[_CURRENT] in known[_SESSIONS] else ""

    def keep(self, origin: str, session: Session) -> None:
        known = self._read()
        self._write({_CURRENT: origin, _SESSIONS: {**known[_SESSIONS], origin: session.written()}})

    def forget(self, origin: str) -> None:
        known = self._read()
        rest = {one: session for one, session in known[_SESSIONS].items() if one != origin}
        current = known[_CURRENT] if known[_CURRENT] in rest else next(reversed(rest), "")
        self._write({_CURRENT: current, _SESSIONS: rest})

    def replace(self, origin: str, session: Session) -> None:
        """Another key for the same; which server is the current one stays."""
        known = self._read()
        self._write({**known, _SESSIONS: {**known[_SESSIONS], origin: session.written()}})

    @contextmanager
    def locked(self) -> Iterator[None]:
        """One process at a time: what was read in here is what is there until it is left."""
        self._make_place()
        lock = os.open(self._place / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            os.close(lock)

    def _read(self) -> dict[str, Any]:
        """What is kept, or nothing where it is missing or damaged."""
        try:
            found = json.loads((self._place / _FILE).read_text(encoding="utf-8"))
            return {_CURRENT: str(found[_CURRENT]), _SESSIONS: dict(found[_SESSIONS])}
        except (OSError, ValueError, KeyError, TypeError):
            return {_CURRENT: "", _SESSIONS: {}}

    def _write(self, known: Mapping[str, Any]) -> None:
        self._make_place()
        write_private(self._place / _FILE, json.dumps(known, indent=2) + "\n")

    def _make_place(self) -> None:
        self._place.mkdir(parents=True, exist_ok=True, mode=0o700)


def _session(written: object) -> Session | None:
    """None of what another release wrote, and this one can't read: then one signs in again."""
    if not isinstance(written, dict):
        return None
    try:
        ends_at = datetime.fromisoformat(str(written["ends_at"]))
        texts = {
            name: str(written[name]) for name in Session._fields if name != "ends_at" and name in written
        }
        return Session(**texts, ends_at=ends_at if ends_at.tzinfo else ends_at.replace(tzinfo=UTC))
    except (ValueError, KeyError, TypeError):
        return None
