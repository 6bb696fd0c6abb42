"""Branches and folders of issues: found again after any crash, and never thrown away with work in them."""

import shutil
from pathlib import Path

import pytest

from forge.cli.worker.git import worktrees
from forge.cli.worker.git.commands import GitFailed, git
from forge.cli.worker.git.repositories import Repository, folder_name, source_of
from forge.cli.worker.git.worktrees import Worktree, branch_of, prepare
from tests.unit.cli.worker.workbench import AUTHOR, BRANCH, TRAILERS, a_repository, change


def test_a_branch_tells_what_it_is_for_and_one_that_is_there_is_taken() -> None:
    assert branch_of("DEMO-1", "Say “hello”, twice!", []) == "forge/DEMO-1-say-hello-twice"
    assert branch_of("DEMO-1", "…", []) == "forge/DEMO-1"
    assert branch_of("DEMO-1", "New title", ["forge/DEMO-12-other", "forge/DEMO-1-old"]) == "forge/DEMO-1-old"
    assert len(branch_of("DEMO-1", "very " * 50, [])) < 60


def test_a_folder_that_was_left_is_found_as_it_was(repository: Repository, worktree: Worktree) -> None:
    change(worktree)

    again = prepare(repository, worktree.path, BRANCH)

    assert again == worktree
    assert (worktree.path / "new.txt").exists()


def test_a_folder_that_has_vanished_is_made_again_from_its_branch(
    repository: Repository, worktree: Worktree
) -> None:
    change(worktree)
    worktrees.commit_all(worktree, "New", AUTHOR, TRAILERS)
    worktree.path.rename(worktree.path.with_name("elsewhere"))

    prepare(repository, worktree.path, BRANCH)

    assert (worktree.path / "new.txt").exists()


def test_a_checkout_that_was_killed_halfway_is_done_again(repository: Repository, worktree: Worktree) -> None:
    git("worktree", "unlock", str(worktree.path), at=repository.place)
    (worktree.path / "README.md").unlink()

    prepare(repository, worktree.path, BRANCH)

    assert (worktree.path / "README.md").exists()


def test_a_folder_of_nobody_is_put_aside_and_not_deleted(repository: Repository, tmp_path: Path) -> None:
    a_repository(tmp_path / "DEMO-2")
    (tmp_path / "DEMO-2" / "precious").touch()

    prepare(repository, tmp_path / "DEMO-2", "forge/DEMO-2")

    assert (tmp_path / "DEMO-2.aside-1" / "precious").exists()


def test_the_lock_of_a_git_that_was_killed_is_taken_away(repository: Repository, worktree: Worktree) -> None:
    own = git("rev-parse", "--absolute-git-dir", at=worktree.path).strip()
    (Path(own) / "index.lock").touch()
    change(worktree)

    again = prepare(repository, worktree.path, BRANCH)

    assert worktrees.commit_all(again, "New", AUTHOR, TRAILERS)


def test_a_commit_says_what_it_is_for_and_there_is_none_of_nothing(worktree: Worktree) -> None:
    assert not worktrees.commit_all(worktree, "Nothing", AUTHOR, TRAILERS)
    change(worktree)

    assert worktrees.commit_all(worktree, "New", AUTHOR, TRAILERS)

    told = git("log", "-1", "--format=%an|%s|%(trailers:key=Forge-Issue,valueonly)", at=worktree.path)
    assert told.split("|") == ["Worker", "New", "DEMO-1\n\n"]
    assert worktrees.commits_since_start(worktree) == 1


def test_what_was_committed_beside_the_branch_comes_onto_it(
    repository: Repository, worktree: Worktree
) -> None:
    git("checkout", "--quiet", "-b", "idea", at=worktree.path)
    change(worktree)
    worktrees.commit_all(worktree, "New", AUTHOR, TRAILERS)

    worktrees.settle(worktree)

    assert git("branch", "--show-current", at=worktree.path).strip() == BRANCH
    assert worktrees.commits_since_start(worktree) == 1


def test_what_others_pushed_to_the_branch_is_merged_and_never_overwritten(
    repository: Repository, worktree: Worktree, tmp_path: Path
) -> None:
    change(worktree)
    worktrees.commit_all(worktree, "Ours", AUTHOR, TRAILERS)
    worktrees.push(worktree, AUTHOR)
    other = Repository(repository.source, tmp_path / "other.git")
    other.fetch()
    theirs = prepare(other, tmp_path / "theirs", BRANCH)
    change(theirs, "theirs.txt")
    worktrees.commit_all(theirs, "Theirs", AUTHOR, TRAILERS)
    worktrees.push(theirs, AUTHOR)
    change(worktree, "more.txt")
    worktrees.commit_all(worktree, "More", AUTHOR, TRAILERS)

    worktrees.push(worktree, AUTHOR)

    source = Path(repository.source)
    names = git("ls-tree", "--name-only", BRANCH, at=source).split()
    assert names == ["README.md", "more.txt", "new.txt", "theirs.txt"]
    assert worktrees.is_pushed(repository, BRANCH)


def test_a_folder_with_uncommitted_work_is_not_removed(repository: Repository, worktree: Worktree) -> None:
    change(worktree)

    with pytest.raises(GitFailed):
        worktrees.remove(repository, worktree.path)

    worktrees.commit_all(worktree, "New", AUTHOR, TRAILERS)
    worktrees.remove(repository, worktree.path)
    assert not worktree.path.exists()
    assert repository.has(f"refs/heads/{BRANCH}")


def test_work_has_landed_once_the_base_has_all_of_it(repository: Repository, worktree: Worktree) -> None:
    change(worktree)
    worktrees.commit_all(worktree, "New", AUTHOR, TRAILERS)
    before = worktrees.has_landed(repository, BRANCH)
    worktrees.push(worktree, AUTHOR)
    git("merge", "--quiet", "--ff-only", BRANCH, at=Path(repository.source))
    git("fetch", "--quiet", at=repository.place)

    assert (before, worktrees.has_landed(repository, BRANCH)) == (False, True)


def test_slots_that_start_together_fetch_once(tmp_path: Path) -> None:
    source, seconds = a_repository(tmp_path / "source"), iter([0.0, 1.0, 3.0, 3.0])
    repository = Repository(str(source), tmp_path / "clone.git", tick=lambda: next(seconds))
    repository.fetch()
    git("branch", "later", at=source)

    repository.fetch()
    soon = repository.branches("later")
    repository.fetch()

    assert (soon, repository.branches("later")) == ([], ["later"])


def test_names_of_clones_are_told_apart_and_addresses_stay_as_they_are() -> None:
    assert folder_name("https://git.example/demo/app.git").startswith("app-")
    assert folder_name("/a/app") != folder_name("/b/app")
    assert source_of("git@git.example:demo/app.git") == "git@git.example:demo/app.git"
    assert source_of(".") == str(Path.cwd())


def test_a_repository_without_a_commit_keeps_nothing_else_from_being_kept(worktree: Worktree) -> None:
    change(worktree)
    git("init", "--quiet", str(worktree.path / "begun"), at=worktree.path)
    change(worktree, "begun/inside.txt")

    assert worktrees.commit_all(worktree, "New", AUTHOR, TRAILERS)

    assert git("show", "HEAD:new.txt", at=worktree.path) == "new\n"
    assert not worktrees.is_clean(worktree.path)


def test_who_has_checked_out_something_else_at_the_end_has_its_commits_all_the_same(
    worktree: Worktree,
) -> None:
    change(worktree)
    worktrees.commit_all(worktree, "New", AUTHOR, TRAILERS)
    git("checkout", "--quiet", "--detach", "origin/main", at=worktree.path)
    change(worktree, "later.txt")

    worktrees.settle(worktree)

    assert git("branch", "--show-current", at=worktree.path).strip() == BRANCH
    assert (worktree.path / "new.txt").exists()
    assert (worktree.path / "later.txt").exists()


def test_where_work_begins_is_found_again_once_the_branch_has_another_name(repository: Repository) -> None:
    repository.start()
    source = Path(repository.source)
    git("branch", "--quiet", "--move", "main", "trunk", at=source)
    git("fetch", "--quiet", "--prune", "origin", at=repository.place)

    assert repository.start() == "origin/trunk"


def test_a_base_that_is_not_there_is_told(repository: Repository) -> None:
    repository.base = "no-such-branch"

    with pytest.raises(GitFailed, match="no-such-branch"):
        repository.start()


@pytest.mark.skipif(shutil.which("git-lfs") is None, reason="there is no git-lfs here")
def test_what_is_kept_beside_the_repository_is_pushed_with_it(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By its hook, Git LFS sends it on a push; no hook runs where a worker pushes."""
    monkeypatch.setenv("HOME", str(tmp_path))
    git("lfs", "install", "--skip-repo", at=tmp_path)
    worktree = prepare(repository, tmp_path / "DEMO-1", BRANCH)
    change(worktree, ".gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n")
    change(worktree, "large.bin", "of many bytes")
    worktrees.commit_all(worktree, "New", AUTHOR, TRAILERS)

    worktrees.push(worktree, AUTHOR)

    theirs = tmp_path / "theirs"
    git("clone", "--quiet", "--branch", BRANCH, repository.source, str(theirs), at=tmp_path)
    assert "oid sha256" in git("show", "HEAD:large.bin", at=theirs)
    assert (theirs / "large.bin").read_text(encoding="utf-8") == "of many bytes"
