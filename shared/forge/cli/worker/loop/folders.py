"""The folder of a worker: one worker at a time, and all that it must find again."""

import fcntl
import json
import os
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import Any, NamedTuple

from forge.cli.calls import BadArguments
from forge.cli.local.homes import write_private


class Folder(NamedTuple):
    root: Path

    @property
    def runs(self) -> Path:
        return self.root / "runs"

    @property
    def worktrees(self) -> Path:
        return self.root / "worktrees"

    @property
    def repositories(self) -> Path:
        return self.root / "repositories"

    @property
    def ignored(self) -> Path:
        return self.root / ".gitignore"

    def instance(self) -> str:
        """Who this is, for as long as the folder is there: Forge gives its unfinished work back to it."""
        return self._kept("instance", f"{_host()}-{token_hex(6)}")

    def status(self) -> dict[str, Any]:
        try:
            found = json.loads((self.root / "status.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}

    def write_status(self, status: Mapping[str, Any]) -> None:
        write_private(self.root / "status.json", json.dumps(status))

    def worker(self) -> int | None:
        """The process that works here now, if any does."""
        path = self.root / "lock"
        if not path.exists():
            return None
        with path.open("rb") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                told = lock.read(20)
                return int(told) if told.isdigit() else None
        return None

    def _kept(self, name: str, otherwise: str) -> str:
        path = self.root / name
        found = path.read_text(encoding="utf-8").strip() if path.exists() else ""
        if not found:
            write_private(path, otherwise)
        return found or otherwise


@contextmanager
def held(root: Path) -> Iterator[Folder]:
    """The lock ends with this process, however that ends; no child inherits it."""
    root.mkdir(parents=True, exist_ok=True, mode=0o700)
    folder = Folder(root)
    with (root / "lock").open("a+b") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BadArguments(
                f"Another worker (process {folder.worker()}) works in {root}. Stop it with forge worker"
                " stop, or choose another folder with --folder."
            ) from None
        lock.truncate(0)
        lock.write(str(os.getpid()).encode())
        lock.flush()
        if not folder.ignored.exists():
            # It may be within a repository, and holds what no commit must.
            folder.ignored.write_text("*\n", encoding="utf-8")
        for place in (folder.runs, folder.worktrees, folder.repositories):
            place.mkdir(exist_ok=True, mode=0o700)
        yield folder


def usual_root(name: str) -> Path:
    """Where a worker of this name has its folder, if nobody says otherwise."""
    base = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    return Path(base) / "forge-worker" / (name or "default")


def _host() -> str:
    kept = "".join(letter for letter in socket.gethostname() if letter.isascii() and letter.isalnum())
    return kept[:40] or "machine"
