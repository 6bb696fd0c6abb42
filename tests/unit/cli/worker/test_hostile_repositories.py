"""What is in a repository, or in the settings of a machine, starts nothing when a worker's git works."""

from pathlib import Path

import pytest

from forge.cli.worker.git import worktrees
from forge.cli.worker.git.commands import git
from forge.cli.worker.git.repositories import Repository
from forge.cli.worker.git.worktrees import Worktree
from tests.unit.cli.worker.workbench import AUTHOR, BRANCH, TRAILERS, a_repository, change


def test_no_repository_within_has_git_start_a_program(worktree: Worktree, tmp_path: Path) -> None:
    within, begun = worktree.path / "within", tmp_path / "begun"
    a_repository(within, {"one.txt": "one\n", ".gitattributes": "* filter=theirs\n"})
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {begun}\ncat\n", encoding="utf-8")
    program.chmod(0o755)
    worktrees.commit_all(worktree, "With another", AUTHOR, TRAILERS)
    git("config", "filter.theirs.clean", str(program), at=within)
    git("config", "core.fsmonitor", str(program), at=within)
    (within / "one.txt").write_text("two\n", encoding="utf-8")
    change(worktree)

    assert not worktrees.is_clean(worktree.path)
    assert worktrees.commit_all(worktree, "New", AUTHOR, TRAILERS)
    assert worktrees.is_clean(worktree.path)

    assert not begun.exists()
    assert git("show", "HEAD:new.txt", at=worktree.path) == "new\n"


def test_our_own_keys_are_none_of_gits_business(worktree: Worktree, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORGE_AGENT_KEY", "secret")

    told = git("-c", "alias.tell=!env", "tell", at=worktree.path)

    assert "FORGE_AGENT_KEY" not in told


def test_hooks_of_the_repository_do_not_run(repository: Repository, worktree: Worktree) -> None:
    hook = repository.place / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    hook.chmod(0o755)
    change(worktree)

    assert worktrees.commit_all(worktree, "New", AUTHOR, TRAILERS)


def test_what_a_submodule_is_configured_to_start_is_not_started(worktree: Worktree, tmp_path: Path) -> None:
    begun, other = tmp_path / "begun", a_repository(tmp_path / "other")
    within = worktree.path / "within"
    git(
        *("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(other), "within"),
        at=worktree.path,
    )
    worktrees.commit_all(worktree, "With a submodule", AUTHOR, TRAILERS)
    worktrees.push(worktree, AUTHOR)
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {begun}\nexit 1\n", encoding="utf-8")
    program.chmod(0o755)
    git("config", "remote.origin.uploadpack", str(program), at=within)
    git("config", "core.fsmonitor", str(program), at=within)
    git("config", "submodule.recurse", "true", at=within)
    theirs = tmp_path / "theirs"
    git("clone", "--quiet", "--branch", BRANCH, str(tmp_path / "source"), str(theirs), at=tmp_path)
    git(*AUTHOR.settings(), "commit", "--quiet", "--allow-empty", "-m", "Theirs", at=theirs)
    git("-C", str(other), *AUTHOR.settings(), "commit", "--quiet", "--allow-empty", "-m", "More", at=other)
    new = git("rev-parse", "HEAD", at=other).strip()
    git("update-index", "--cacheinfo", f"160000,{new},within", at=theirs)
    git(*AUTHOR.settings(), "commit", "--quiet", "-m", "Newer", at=theirs)
    git("push", "--quiet", "origin", f"HEAD:refs/heads/{BRANCH}", at=theirs)
    change(worktree)
    worktrees.commit_all(worktree, "Ours", AUTHOR, TRAILERS)

    worktrees.push(worktree, AUTHOR)
    worktrees.is_clean(worktree.path)
    worktrees.settle(worktree)

    assert not begun.exists()


def test_nobody_is_asked_to_sign_what_a_worker_commits(
    worktree: Worktree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".gitconfig").write_text(
        "[commit]\ngpgSign = true\n[gpg]\nprogram = /bin/false\n[color]\nui = always\n", encoding="utf-8"
    )
    monkeypatch.setenv("HOME", str(tmp_path))
    change(worktree)

    assert worktrees.commit_all(worktree, "New", AUTHOR, TRAILERS)
