"""Taking away what nobody needs any more: worktrees whose work has landed, and the folders of their runs."""

import os
import shutil
from pathlib import Path

from forge.cli.worker.git import worktrees
from forge.cli.worker.git.commands import GitFailed
from forge.cli.worker.runs import hooks
from forge.cli.worker.runs.crews import Crew
from forge.cli.worker.runs.engagements import JOURNAL, Ending, Engagement

_DAY = 86_400.0


def tidy(crew: Crew, run: Engagement) -> bool:
    """Whether a run that has ended here is gone now. What is not committed, or not elsewhere, stays."""
    branch, name = run.journal.fact("branch"), run.journal.fact("worktree")
    try:
        if not run.is_run and run.ending is not Ending.COMPLETED and _age(run.folder) < _DAY:
            # It still waits, and would be tried again at once.
            return False
        if name and not _is_removed(crew, run, crew.worktrees / name, branch):
            return False
        gone(run.folder)
    except (GitFailed, OSError):
        return False
    return True


def gone(folder: Path) -> None:
    """With all that agents have made read-only in it, such as what was downloaded for Go."""
    for place, names, _ in os.walk(folder):
        for one in (Path(place) / name for name in names):
            if not one.is_symlink():
                one.chmod(0o700)
    shutil.rmtree(folder)


def _is_removed(crew: Crew, run: Engagement, path: Path, branch: str) -> bool:
    if path.exists():
        if not _is_safe(crew, branch, _age(run.folder)) or not worktrees.is_clean(path):
            return False
        hooks.run_hook(crew, run, path, "before_remove")
    worktrees.remove(crew.repository, path)
    return True


def _age(folder: Path) -> float:
    """In seconds since its last line, by the clock of the disk."""
    probe = folder / "age"
    probe.touch()
    seconds = probe.stat().st_mtime - (folder / JOURNAL).stat().st_mtime
    probe.unlink()
    return seconds


def _is_safe(crew: Crew, branch: str, age_seconds: float) -> bool:
    if not branch:
        return True
    if worktrees.has_landed(crew.repository, branch):
        return True
    kept_long = age_seconds >= crew.settings.git.keep_days * _DAY
    return kept_long and worktrees.is_pushed(crew.repository, branch)
