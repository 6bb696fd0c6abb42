"""Git, as a worker runs it: nobody is asked, no hook of a repository runs, nothing is collected meanwhile."""

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

_SETTINGS = (
    *("core.hooksPath=/dev/null", "core.fsmonitor=false"),
    # A submodule has a configuration of its own, which an agent may have written.
    *("submodule.recurse=false", "fetch.recurseSubmodules=false", "push.recurseSubmodules=no"),
    *("commit.gpgSign=false", "color.ui=false"),
    *("gc.auto=0", "maintenance.auto=0", "advice.detachedHead=false"),
)
_LONGEST_SECONDS = 600
_LAST_WORDS = 1_000


class GitFailed(Exception):
    """What git said."""


def git(*words: str, at: Path) -> str:
    """What it prints."""
    settings = [word for one in _SETTINGS for word in ("-c", one)]
    try:
        done = subprocess.run(  # noqa: S603 - the program is git, the words are ours
            ["git", *settings, *words],  # noqa: S607
            cwd=at,
            env=owners(os.environ) | {"GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"},
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_LONGEST_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise GitFailed(f"git {_named(words)} has not ended after {_LONGEST_SECONDS} seconds.") from None
    except OSError as problem:
        raise GitFailed(f"git {_named(words)} could not be started: {problem}") from None
    if done.returncode:
        raise GitFailed(f"git {_named(words)}: {(done.stderr or done.stdout).strip()[-_LAST_WORDS:]}")
    return done.stdout


def succeeds(*words: str, at: Path) -> bool:
    try:
        git(*words, at=at)
    except GitFailed:
        return False
    return True


def _named(words: Sequence[str]) -> str:
    """What git was to do, behind its settings."""
    return words[0] if words[0] != "-c" else _named(words[2:])


def owners(around: Mapping[str, str]) -> dict[str, str]:
    """All of it, but for what would point git elsewhere, as within a hook, and for our own keys."""
    return {name: value for name, value in around.items() if not name.startswith(("GIT_", "FORGE_"))}
