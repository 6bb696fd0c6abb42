"""Every command of every path, run in a real clone whose remote protects its main branch."""

import os
import subprocess
from pathlib import Path

import pytest

from forge.work.pipelines.actions import ActionType
from forge.work.pipelines.engine.reporting import Report
from forge.work.pipelines.phases import Effort
from forge.work.pipelines.pipelines import PipelineItem, PipelineSource
from tests.unit.work.pipelines.engine.driving import THREE_TASKS, Drive, a_pipeline, files_of

PROTECTED = """#!/bin/sh
while read old new ref; do
  [ "$ref" = refs/heads/main ] && echo "main is protected" >&2 && exit 1
  git cat-file -e "$old" 2>/dev/null || continue
  git merge-base --is-ancestor "$old" "$new" || exit 1
done
exit 0
"""
ANSWERS = {"checkpoint-a": "proceed", "checkpoint-b": "proceed", "post-to-source": "skip"}


class Clone:
    """A checkout of a repository with three commits on main and two of somebody else on a branch."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.checkout = folder / "checkout"
        (folder / "bin").mkdir()
        (folder / "bin" / "gh").write_text("#!/bin/sh\ncat >/dev/null\n")
        (folder / "bin" / "gh").chmod(0o755)
        self.checkout.mkdir()
        self.git("init", "-q", "--bare", "../origin")
        self.git("init", "-q", "-b", "main")
        self.git("remote", "add", "origin", "../origin")
        self.git("config", "user.name", "A")
        self.git("config", "user.email", "a@example.com")
        for number in range(3):
            self.commit(f"main {number}")
        self.git("push", "-q", "-u", "origin", "HEAD")
        self.git("checkout", "-q", "-b", "shared/topic")
        for number in range(2):
            self.commit(f"topic {number}")
        self.git("push", "-q", "-u", "origin", "HEAD")
        hook = folder / "origin" / "hooks" / "pre-receive"
        hook.write_text(PROTECTED)
        hook.chmod(0o755)

    def run(self, command: list[str]) -> subprocess.CompletedProcess[str]:
        env = os.environ | {
            "PATH": f"{self.folder}/bin:{os.environ['PATH']}",
            "GIT_CONFIG_GLOBAL": os.devnull,
        }
        return subprocess.run(
            command, cwd=self.checkout, env=env, capture_output=True, text=True, check=False, timeout=60
        )

    def git(self, *words: str) -> str:
        done = self.run(["git", *words])
        assert done.returncode == 0, done.stderr
        return done.stdout

    def commit(self, text: str) -> None:
        (self.checkout / f"{text}.txt").write_text(text)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", text)

    def commits(self, *where: str) -> set[str]:
        return set(self.git("rev-list", *where).split())


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    return Clone(tmp_path)


def drive(clone: Clone, state: PipelineItem, *, skipped: str = "") -> list[str]:
    """To the end, with agents that commit and commands that run for real; what could not be run is told."""
    driven = Drive(state)
    driven.scripted = {"tasks.md": [THREE_TASKS]}
    wrong: list[str] = []
    seen = clone.commits("--all")
    outcome = driven.ask()
    for number in range(100):
        action = outcome.action
        assert action is not None
        if action.type is ActionType.DONE:
            return wrong
        if action.waits_for_a_person:
            outcome = driven.answer(ANSWERS.get(str(action.name), "done"))
            continue
        if action.type is ActionType.EXEC:
            is_skipped = (action.purpose or action.phase) == skipped
            done = None if is_skipped else clone.run(action.commands)
            if done and done.returncode:
                wrong.append(done.stderr)
            report = Report(verdict="SKIP" if is_skipped or (done and done.returncode) else None)
            outcome = driven.say(report=report)
            assert seen <= clone.commits("--all"), action.commands
            seen = clone.commits("--all")
        else:
            for file in files_of(action):
                place = clone.checkout / state.path / file
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_text(f"{file}\n")
            if action.agent == "implementer" and not action.shares:
                clone.commit(f"work {number}")
            outcome = driven.work()
    raise AssertionError("it does not end")


@pytest.mark.parametrize("effort", Effort)
@pytest.mark.parametrize("branch", ["feature/login", "shared/topic"])
def test_no_commit_that_was_there_is_gone_on_any_path(effort: Effort, branch: str, clone: Clone) -> None:
    clone.git("checkout", "-q", *([] if branch == "shared/topic" else ["-b"]), branch)
    before = clone.commits("--all")
    at = {
        "source_type": PipelineSource.GITHUB,
        "source_id": "42",
        "source_url": "https://github.com/a/b/issues/42",
    }

    wrong = drive(clone, a_pipeline(effort, branch=branch, use_current_branch=branch == "shared/topic", **at))

    assert wrong == []
    assert before <= clone.commits("--all")
    now = clone.git("branch", "--show-current").strip()
    assert clone.git("log", "-1", "--format=%s", f"origin/{now}").strip().startswith("docs: summary of ")
    assert clone.git("rev-list", "--count", f"origin/{now}..{now}").strip() == "0"


@pytest.mark.parametrize("skipped", ["push-branch", "pr-creation"])
def test_nothing_is_pushed_after_a_person_did_without_the_pull_request(skipped: str, clone: Clone) -> None:
    clone.git("checkout", "-q", "-b", "feature/login")

    drive(clone, a_pipeline(branch="feature/login"), skipped=skipped)

    remote = clone.git("branch", "-r", "--list", "origin/feature/login")
    last = clone.git("log", "-1", "--format=%s", "origin/feature/login") if remote else ""
    assert "summary" not in last


def test_on_main_without_a_pull_request_nothing_is_pushed(clone: Clone) -> None:
    clone.git("checkout", "-q", "main")
    remote = clone.commits("--remotes")

    wrong = drive(clone, a_pipeline(branch="main", use_current_branch=True, skip_pr=True))

    assert (wrong, clone.commits("--remotes")) == ([], remote)
