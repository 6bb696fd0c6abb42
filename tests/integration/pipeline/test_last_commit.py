"""The last command of a pipeline, run by a real shell in a real checkout."""

import os
import subprocess
from pathlib import Path

import pytest

from forge.work.pipeline_engine.commands import final_commit
from forge.work.pipelines.pipelines import SourceType
from tests.unit.work.pipeline_engine.driving import a_pipeline

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
    state = a_pipeline(source_type=SourceType.GITHUB, source_id="42")
    summary = folder / "checkout" / state.path / "summary.md"
    summary.parent.mkdir(parents=True)
    summary.write_text("# What was done\n")

    run(folder, *final_commit(state).commands)

    run(folder, "git", "cat-file", "-e", f"origin/feature/login:{state.path}/summary.md")
    assert (folder / "said").read_text() == "# What was done\n\nCloses #42\n"


def test_a_pull_request_keeps_its_text_where_the_summary_is_only_on_the_server(folder: Path) -> None:
    run(folder, *final_commit(a_pipeline()).commands)

    assert not (folder / "said").exists()
