"""A home: one Forge at a time, and files that only its owner can read."""

import fcntl
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_TRIES = 15
_PAUSE_SECONDS = 0.1


class Taken(Exception):
    """Another Forge runs on it; the message says which, and what to do."""


def require_free(home: Path) -> None:
    """Look without making anything."""
    if (home / "lock").exists():
        with _opened(home) as lock:
            _take(lock, home)


@contextmanager
def taken(home: Path, *, port: int) -> Iterator[int]:
    """The lock is a file that a child can inherit: it is held until the last of them has ended."""
    home.mkdir(parents=True, exist_ok=True, mode=0o700)
    with _opened(home) as lock:
        _take(lock, home)
        os.ftruncate(lock, 0)
        os.pwrite(lock, json.dumps({"pid": os.getpid(), "port": port}).encode(), 0)
        yield lock


def write_private(path: Path, text: str) -> None:
    """Only the owner may read it: it holds secrets. Replaced as a whole: a crash leaves the old one."""
    draft = path.with_name(f"{path.name}.draft")
    draft.unlink(missing_ok=True)
    draft.touch(mode=0o600)
    draft.write_text(text, encoding="utf-8")
    draft.replace(path)


@contextmanager
def _opened(home: Path) -> Iterator[int]:
    lock = os.open(home / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        yield lock
    finally:
        os.close(lock)


def _take(lock: int, home: Path) -> None:
    # The child of a killed parent needs a moment to leave.
    for _ in range(_TRIES):
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(_PAUSE_SECONDS)
        else:
            return
    raise Taken(
        f"{_who(lock)} is running on {home}. Stop it, or choose another home: make dev FORGE_HOME=.forge-2"
    )


def _who(lock: int) -> str:
    try:
        known = json.loads(os.pread(lock, 1000, 0))
        return f"Another Forge (process {known['pid']}, http://127.0.0.1:{known['port']})"
    except (ValueError, KeyError, TypeError):
        return "Another Forge"
