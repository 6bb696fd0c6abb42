"""Branches and folders of issues: found again after any crash, and never thrown away with work in them."""

from pathlib import Path

import pytest

from forge.cli.worker.git import worktrees
from forge.cli.worker.git.commands import GitFailed, git
from forge.cli.worker.git.repositories import Repository, folder_name, source_of
from forge.cli.worker.git.worktrees import Worktree, branch_of, prepare
from tests.unit.cli.worker.workbench import AUTHOR, a_repository

BRANCH = "forge/DEMO-1-hello"
TRAILERS = {"Forge-Issue": "DEMO-1"}


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    source = a_repository(tmp_path / "source")
    found = Repository(str(source), tmp_path / "clone.git")
    found.fetch()
    return found


@pytest.fixture
def worktree(repository: Repository, tmp_path: Path) -> Worktree:
    return prepare(repository, tmp_path / "DEMO-1", BRANCH)


def change(worktree: Worktree, name: str = "new.txt", text: str = "new\n") -> None:
    (worktree.path / name).write_text(text, encoding="utf-8")


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


def test_hooks_of_the_repository_do_not_run(repository: Repository, worktree: Worktree) -> None:
    hook = repository.place / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    hook.chmod(0o755)
    change(worktree)

    assert worktrees.commit_all(worktree, "New", AUTHOR, TRAILERS)


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
