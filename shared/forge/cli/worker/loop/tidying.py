"""Taking away what nobody needs any more: worktrees whose work has landed, and the folders of their runs."""

import shutil

from forge.cli.worker.git import worktrees
from forge.cli.worker.git.commands import GitFailed
from forge.cli.worker.runs import hooks
from forge.cli.worker.runs.crews import Crew
from forge.cli.worker.runs.engagements import Engagement

_DAY = 86_400.0


def tidy(crew: Crew, run: Engagement, *, age_seconds: float) -> bool:
    """Whether a run that has ended here is gone now. What is not committed, or not elsewhere, stays."""
    branch, name = run.journal.fact("branch"), run.journal.fact("worktree")
    if not name:
        shutil.rmtree(run.folder)
        return True
    path = crew.worktrees / name
    try:
        if path.exists() and not _is_safe(crew, branch, age_seconds):
            return False
        if path.exists() and not worktrees.is_clean(path):
            return False
        if path.exists():
            hooks.run_hook(crew, run, path, "before_remove")
        worktrees.remove(crew.repository, path)
    except GitFailed:
        return False
    shutil.rmtree(run.folder)
    return True


def _is_safe(crew: Crew, branch: str, age_seconds: float) -> bool:
    if not branch:
        return True
    if worktrees.has_landed(crew.repository, branch):
        return True
    kept_long = age_seconds >= crew.settings.git.keep_days * _DAY
    return kept_long and worktrees.is_pushed(crew.repository, branch)
