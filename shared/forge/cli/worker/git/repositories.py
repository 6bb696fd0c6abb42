"""A bare clone of a repository, shared by all worktrees of a worker."""

import fcntl
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from threading import Lock

from forge.cli.worker.git.commands import GitFailed, git, succeeds

ALL_BRANCHES = "+refs/heads/*:refs/remotes/origin/*"
FRESH_SECONDS = 2.0
"""Slots that start together fetch once."""


@dataclass
class Repository:
    """`place` is the bare clone; `tick` counts seconds, from anywhere."""

    source: str
    place: Path
    base: str = ""
    tick: Callable[[], float] = time.monotonic
    _lock: Lock = field(default_factory=Lock)
    _fetched: float | None = None

    def fetch(self) -> None:
        """Learn what is new; once for all who ask within a moment."""
        with self._lock, _locked(self.place.with_suffix(".lock")):
            if self._fetched is not None and self.tick() - self._fetched < FRESH_SECONDS:
                return
            self._require_clone()
            git("fetch", "--quiet", "--prune", "origin", at=self.place)
            self._fetched = self.tick()

    def start(self) -> str:
        """What work begins at, if that is there."""
        if self.base:
            if not self.has(f"refs/remotes/origin/{self.base}"):
                raise GitFailed(f"{self.source} has no branch {self.base}: name another as base, in [git].")
            return f"origin/{self.base}"
        if not self.has("refs/remotes/origin/HEAD"):
            try:
                git("remote", "set-head", "origin", "--auto", at=self.place)
            except GitFailed:
                raise GitFailed(
                    f"{self.source} does not say which branch work begins at: name it with base, in [git]."
                ) from None
        return git("symbolic-ref", "--short", "refs/remotes/origin/HEAD", at=self.place).strip()

    def branches(self, prefix: str) -> list[str]:
        """Names of branches here and there that begin like this, those of this machine first."""
        listed = [
            line.removeprefix(f"refs/{where}/")
            for where in ("heads", "remotes/origin")
            for line in git(
                "for-each-ref", "--format=%(refname)", f"refs/{where}/{prefix}*", at=self.place
            ).splitlines()
        ]
        return list(dict.fromkeys(listed))

    def has(self, ref: str) -> bool:
        return succeeds("rev-parse", "--verify", "--quiet", f"{ref}^{{commit}}", at=self.place)

    def file_at_start(self, name: str) -> str | None:
        """As the branch has it that work begins at."""
        try:
            return git("show", f"{self.start()}:{name}", at=self.place)
        except GitFailed:
            return None

    def _require_clone(self) -> None:
        """Each step of it may be repeated: a clone that was interrupted is finished."""
        if not (self.place / "HEAD").exists():
            self.place.mkdir(parents=True, exist_ok=True)
            git("init", "--quiet", "--bare", at=self.place)
        if not succeeds("remote", "get-url", "origin", at=self.place):
            git("remote", "add", "origin", self.source, at=self.place)
        git("config", "remote.origin.fetch", ALL_BRANCHES, at=self.place)


def source_of(given: str) -> str:
    """A path as an absolute one; an address as it stands."""
    if re.match(r"^[a-z+]+://|^[\w.-]+@[\w.-]+:", given):
        return given
    return str(Path(given).expanduser().resolve())


def folder_name(source: str) -> str:
    """One that a person recognises, and no other source has."""
    name = source.rstrip("/").removesuffix(".git").rpartition("/")[2] or "repository"
    safe = re.sub(r"[^A-Za-z0-9._-]", "_", name)
    return f"{safe}-{sha256(source.encode()).hexdigest()[:8]}.git"


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """For other programs of this machine that share the clone."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
