"""bubblewrap around a child: it writes into its worktree and its home, and sees nobody else's files."""

import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from forge.cli.calls import BadArguments
from forge.cli.worker.settings.settings import Sandbox

_SYSTEM = ("/usr", "/opt")
_MAYBE = ("/etc", "/lib", "/lib64", "/bin", "/sbin", "/nix")
_BASIS = ("--unshare-all", "--share-net", "--die-with-parent", "--proc", "/proc", "--dev", "/dev")
_BESIDE_THEIR_FILES = ("bin", ".bin")
"""Folders of mere links and starters: npm has a project's in `.bin`."""
_PROBE_SECONDS = 10


class Places(NamedTuple):
    worktree: Path
    home: Path
    common: Path
    """The bare clone: a commit in the worktree is written there."""


def is_wanted(sandbox: Sandbox, program: str | None = None) -> bool:
    """Whether children get one; refused where it must be there and is not."""
    found = program or shutil.which("bwrap")
    works = sandbox is not Sandbox.OFF and found is not None and _works(found)
    if sandbox is Sandbox.ON and not works:
        raise BadArguments(
            "There is no sandbox here: install bubblewrap and allow user namespaces, or say --sandbox auto."
        )
    return works


def wrapped(command: Sequence[str], places: Places, environment: Mapping[str, str]) -> list[str]:
    """What runs the command in a sandbox; its environment comes along as it is."""
    read = [word for place in _SYSTEM for word in ("--ro-bind-try", place, place)]
    maybe = [word for place in _MAYBE for word in ("--ro-bind-try", place, place)]
    tools = [
        word for place in _tool_folders(command, environment) for word in ("--ro-bind-try", place, place)
    ]
    writable = [
        word
        for place in (places.common, places.home, places.worktree)
        for word in ("--bind", *[str(place)] * 2)
    ]
    return [
        "bwrap",
        *_BASIS,
        *read,
        *maybe,
        "--tmpfs",
        "/tmp",  # noqa: S108 - of the sandbox alone
        *tools,
        *writable,
        *_only_read(places),
        "--chdir",
        str(places.worktree),
        "--",
        *command,
    ]


def _only_read(places: Places) -> list[str]:
    """Of what is writable, what the worker's own git goes by, in no sandbox: it may name programs."""
    others = places.common / "worktrees"
    words = ["--ro-bind-try", *[str(others)] * 2]
    told = [places.common / "config", places.worktree / ".git"]
    if own := _own_folder(places.worktree):
        words += ["--bind", *[str(own)] * 2]
        told += [own / "commondir", own / "gitdir"]
    return words + [word for place in told for word in ("--ro-bind-try", *[str(place)] * 2)]


def _own_folder(worktree: Path) -> Path | None:
    """Where git keeps what is this worktree's alone."""
    try:
        return Path((worktree / ".git").read_text(encoding="utf-8").removeprefix("gitdir:").strip())
    except OSError:
        return None


def _tool_folders(command: Sequence[str], environment: Mapping[str, str]) -> list[str]:
    """Where programs are that a person has installed elsewhere: each with what stands beside it."""
    named = [str(Path(one).parent) for one in command[:1]]
    folders = [Path(one) for one in [*named, *environment.get("PATH", "").split(":")] if one.startswith("/")]
    roots = [one.parent if one.name in _BESIDE_THEIR_FILES else one for one in folders]
    return [str(one) for one in dict.fromkeys(roots) if one != Path("/") and not one.is_relative_to("/usr")]


def _works(program: str) -> bool:
    """User namespaces may be switched off: only trying tells."""
    command = [program, *_BASIS, "--ro-bind", "/", "/", "true"]
    try:
        done = subprocess.run(command, capture_output=True, timeout=_PROBE_SECONDS, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
