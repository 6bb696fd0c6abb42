"""The commits that a pipeline asks for, made by a real shell in a real checkout."""

import os
import subprocess
from pathlib import Path

import pytest

from forge.work.pipelines.engine.commands import batch_commit, final_commit
from forge.work.pipelines.pipelines import PipelineSource
from forge.work.pipelines.tasks import Mode, Task
from tests.unit.work.pipelines.engine.driving import a_pipeline

GH = '#!/bin/sh\ncat > "$GH_SAID"\n'


def run(folder: Path, *command: str) -> None:
    env = os.environ | {
        "PATH": f"{folder}/bin:{os.environ['PATH']}",
        "GH_SAID": str(folder / "said"),
        "GIT_CONFIG_GLOBAL": os.devnull,
    }
    subprocess.run(command, cwd=folder / "checkout", env=env, check=True, timeout=30)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A checkout with a commit that was pushed, and a `gh` that keeps what it is told."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "gh").write_text(GH)
    (tmp_path / "bin" / "gh").chmod(0o755)
    (tmp_path / "checkout").mkdir()
    run(tmp_path, "git", "init", "-q", "--bare", "../origin")
    run(tmp_path, "git", "init", "-q", "-b", "feature/login")
    run(tmp_path, "git", "remote", "add", "origin", "../origin")
    for name, value in (("user.name", "A"), ("user.email", "a@example.com")):
        run(tmp_path, "git", "config", name, value)
    run(tmp_path, "git", "commit", "-q", "--allow-empty", "-m", "Work")
    run(tmp_path, "git", "push", "-q", "-u", "origin", "HEAD")
    return tmp_path


def test_the_summary_becomes_the_text_of_the_pull_request_and_part_of_the_commit(folder: Path) -> None:
    state = a_pipeline(source_type=PipelineSource.GITHUB, source_id="42")
    summary = folder / "checkout" / state.path / "summary.md"
    summary.parent.mkdir(parents=True)
    summary.write_text("# What was done\n")

    run(folder, *final_commit(state).commands)

    run(folder, "git", "cat-file", "-e", f"origin/feature/login:{state.path}/summary.md")
    assert (folder / "said").read_text() == "# What was done\n\nCloses #42\n"


def test_a_pull_request_keeps_its_text_where_the_summary_is_only_on_the_server(folder: Path) -> None:
    run(folder, *final_commit(a_pipeline()).commands)

    assert not (folder / "said").exists()


def test_what_a_task_changed_that_names_no_files_is_committed_with_what_others_name(folder: Path) -> None:
    checkout = folder / "checkout"
    (checkout / "old.py").write_text("before")
    run(folder, "git", "add", "old.py")
    run(folder, "git", "commit", "-q", "-m", "Before")
    (checkout / "old.py").write_text("after")
    (checkout / "new.py").write_text("new")
    named = Task(mode=Mode.PARALLEL, files=["new.py"], is_done=True)
    unnamed = Task(mode=Mode.PARALLEL, is_done=True)

    run(folder, *batch_commit(a_pipeline(tasks={"1": named, "2": unnamed})).commands)

    run(folder, "git", "cat-file", "-e", "HEAD:new.py")
    run(folder, "git", "diff", "--quiet", "HEAD")
