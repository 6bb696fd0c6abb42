"""Which build a checkout makes: what `forge dev` runs, and what a layer is told to say."""

import subprocess
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from forge.wire.identity import Build

_HERE = Path(__file__).parent


def build_at(now: datetime, checkout: Path = _HERE) -> Build:
    """The checkout's commit, marked where something differs from it, as of now."""
    commit = _git(checkout, "rev-parse", "HEAD")
    if commit is None:
        return Build(time=_shown(now))
    return Build(f"{commit}-dirty" if _git(checkout, "status", "--porcelain") else commit, _shown(now))


def _shown(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z")


def _git(checkout: Path, *words: str) -> str | None:
    """What it says; None where there is no git, or no history of this folder."""
    with suppress(OSError):
        asked = subprocess.run(  # noqa: S603 - words of our own
            ["git", "-C", str(checkout), *words],  # noqa: S607 - wherever it is installed
            capture_output=True,
            text=True,
            check=False,
        )
        if asked.returncode == 0:
            return asked.stdout.strip()
    return None
