"""Which build a checkout makes."""

import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from forge.cli.builds import build_at
from forge.wire.identity import Build

NOON = datetime(2026, 7, 28, 12, tzinfo=UTC)


def test_a_build_is_named_after_its_commit_and_says_when_something_differs_from_it(
    tmp_path: Path,
) -> None:
    (tmp_path / "tool.py").write_text("first")
    commit = commit_all(tmp_path)

    clean = build_at(NOON, tmp_path)
    (tmp_path / "tool.py").write_text("second")

    assert clean == Build(commit, "2026-07-28T12:00:00Z")
    assert build_at(NOON, tmp_path).git_sha == f"{commit}-dirty"


def test_what_has_no_history_says_only_when_it_was_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Wherever the tests' folder is, no repository around it counts.
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))

    assert build_at(NOON, tmp_path) == Build("unknown", "2026-07-28T12:00:00Z")


def commit_all(folder: Path) -> str:
    git = ["git", "-C", str(folder), "-c", "user.name=Ada", "-c", "user.email=ada@example.com"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "First"]):
        subprocess.run([*git, *words], check=True)
    return subprocess.run(
        [*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True
    ).stdout.strip()
