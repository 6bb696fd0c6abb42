"""bubblewrap around a child: it writes into its worktree and its home, and sees nobody else's files."""

import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from forge.cli.calls import BadArguments
from forge.cli.worker.settings.settings import Sandbox

_SYSTEM = ("/usr", "/opt")
_MAYBE = ("/etc", "/lib", "/lib64", "/bin", "/sbin", "/nix")
_BASIS = ("--unshare-all", "--share-net", "--die-with-parent", "--proc", "/proc", "--dev", "/dev")
_BESIDE_THEIR_FILES = ("bin", ".bin")
"""Folders of mere links and starters: npm has a project's in `.bin`."""
_KEPT_AT_HOME = (".local", ".config", ".cache")
_MOST_PROGRAMS = 500
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


def wrapped(
    command: Sequence[str],
    places: Places,
    environment: Mapping[str, str],
    also: Sequence[Path] = (),
    *,
    home: Path | None = None,
) -> list[str]:
    """What runs the command in a sandbox; its environment comes along as it is.

    `also` are files that it may write to besides: what its owner has signed in with.
    """
    tools = _tools(command, environment, (home or Path.home()).resolve())
    return [
        "bwrap",
        *_BASIS,
        *_bound("--ro-bind-try", *_SYSTEM, *_MAYBE),
        *("--tmpfs", "/tmp"),  # noqa: S108 - of the sandbox alone
        *_bound("--ro-bind-try", *tools),
        *_bound("--bind-try", *also),
        *_bound("--bind", places.common, places.home, places.worktree),
        *_only_read(places),
        *("--chdir", str(places.worktree)),
        "--",
        *command,
    ]


def _bound(how: str, *places: str | Path) -> list[str]:
    return [word for place in places for word in (how, str(place), str(place))]


def _only_read(places: Places) -> list[str]:
    """Of what is writable, what the worker's own git goes by, in no sandbox: it may name programs."""
    others = _bound("--ro-bind-try", places.common / "worktrees")
    told = [places.common / "config", places.worktree / ".git"]
    if own := _own_folder(places.worktree):
        others += _bound("--bind", own)
        told += [own / "commondir", own / "gitdir"]
    return others + _bound("--ro-bind-try", *told)


def _own_folder(worktree: Path) -> Path | None:
    """Where git keeps what is this worktree's alone."""
    try:
        return Path((worktree / ".git").read_text(encoding="utf-8").removeprefix("gitdir:").strip())
    except OSError:
        return None


def _tools(command: Sequence[str], environment: Mapping[str, str], home: Path) -> list[Path]:
    """Programs that a person has installed elsewhere: each with what it needs, and nothing else of theirs."""
    named = [Path(one) for one in command[:1]]
    folders = [Path(one) for one in environment.get("PATH", "").split(":") if one.startswith("/")]
    found = [*_of_program(named[0], home)] if named and named[0].is_absolute() else []
    for folder in folders:
        root = _root_of(folder)
        found += [root] if not _is_theirs(root, home) else _of_folder(folder, home)
    return [one for one in dict.fromkeys(found) if one != Path("/") and not one.is_relative_to("/usr")]


def _of_folder(folder: Path, home: Path) -> Iterator[Path]:
    """One beside which is more than programs, such as `~/bin` and `~/.local/bin`."""
    yield folder
    with suppress(OSError):
        for program in [*folder.iterdir()][:_MOST_PROGRAMS]:
            if program.is_symlink():
                yield from _of_program(program.resolve(), home)


def _of_program(program: Path, home: Path) -> Iterator[Path]:
    root = _root_of(program.parent)
    yield program if _is_theirs(root, home) else root


def _root_of(folder: Path) -> Path:
    return folder.parent if folder.name in _BESIDE_THEIR_FILES else folder


def _is_theirs(folder: Path, home: Path) -> bool:
    """Whether it holds whatever a person keeps, or other people's homes."""
    return home.is_relative_to(folder) or (folder.parent == home and folder.name in _KEPT_AT_HOME)


def _works(program: str) -> bool:
    """User namespaces may be switched off: only trying tells."""
    command = [program, *_BASIS, "--ro-bind", "/", "/", "true"]
    try:
        done = subprocess.run(command, capture_output=True, timeout=_PROBE_SECONDS, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
