"""A folder and a branch for each issue, found again after any crash."""

import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from forge.cli.worker.git.commands import GitFailed, git, succeeds
from forge.cli.worker.git.repositories import Repository

PREFIX = "forge/"
FINISHED = "forge worker"
"""Why a worktree is locked: it is whole, and may hold what nobody has committed."""
_LONGEST_SLUG = 40
_REPOSITORY = "160000 "
"""The mode of one that is kept within another, by its commit alone."""
_BEGUN = re.compile(r"error: '(.+?)/?' does not have a commit checked out$", re.MULTILINE)
_MOST_BEGUN = 50
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]")


class Worktree(NamedTuple):
    path: Path
    branch: str
    """Nothing where it only looks: a review has no branch of its own."""
    start: str
    """The commit that it began at."""


class Author(NamedTuple):
    """Who commits; the trailers tell what for."""

    name: str
    email: str

    def settings(self) -> tuple[str, ...]:
        return ("-c", f"user.name={self.name}", "-c", f"user.email={self.email}")


def branch_of(identifier: str, title: str, known: list[str]) -> str:
    """The one that the issue has, here or elsewhere; else one that tells what it is about."""
    stem = f"{PREFIX}{identifier}"
    for branch in known:
        if branch == stem or branch.startswith(f"{stem}-"):
            return branch
    slug = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:_LONGEST_SLUG].strip("-")
    return f"{stem}-{slug}" if slug else stem


def folder_of(identifier: str) -> str:
    return _UNSAFE.sub("_", identifier)


def prepare(repository: Repository, path: Path, branch: str) -> Worktree:
    """The folder of a branch, as it was left; or made anew where it has vanished. Nothing may run in it."""
    if not _is_finished(path):
        _clear(repository, path)
        git("worktree", "add", "--quiet", "-f", "-f", *_wanted(repository, path, branch), at=repository.place)
        git("worktree", "lock", "--reason", FINISHED, str(path), at=repository.place)
    _forget_crash(path)
    began = git("merge-base", "HEAD", repository.start(), at=path).strip()
    worktree = Worktree(path, branch, began)
    settle(worktree)
    return worktree


def settle(worktree: Worktree) -> None:
    """Back on its branch, with what was committed elsewhere meanwhile, if that goes on from there."""
    path, branch = worktree.path, worktree.branch
    if not branch or git("branch", "--show-current", at=path).strip() == branch:
        return
    own = f"refs/heads/{branch}"
    if succeeds("merge-base", "--is-ancestor", "HEAD", own, at=path):
        git("checkout", "--quiet", branch, at=path)
        return
    if not succeeds("merge-base", "--is-ancestor", own, "HEAD", at=path):
        raise GitFailed(
            f"What is checked out in {path} does not go on from {branch}: somebody must merge them."
        )
    git("checkout", "--quiet", "-B", branch, at=path)


def commit_all(worktree: Worktree, subject: str, author: Author, trailers: Mapping[str, str]) -> bool:
    """Keep whatever lies there uncommitted; whether there was anything."""
    _add_all(worktree.path)
    if succeeds("diff", "--cached", "--quiet", at=worktree.path):
        return False
    told = [word for name, value in trailers.items() for word in ("--trailer", f"{name}: {value}")]
    git(*author.settings(), "commit", "--quiet", "--no-verify", "-m", subject, *told, at=worktree.path)
    return True


def commits_since_start(worktree: Worktree) -> int:
    return int(git("rev-list", "--count", f"{worktree.start}..HEAD", at=worktree.path))


def head_of(worktree: Worktree) -> str:
    return git("rev-parse", "HEAD", at=worktree.path).strip()


def push(worktree: Worktree, author: Author) -> None:
    """Never by force: what somebody else has put there is merged first."""
    if _has_large_files(worktree.path):
        # A hook of its own would do that, and hooks do not run.
        git("lfs", "push", "origin", worktree.branch, at=worktree.path)
    to = f"HEAD:refs/heads/{worktree.branch}"
    if succeeds("push", "--quiet", "origin", to, at=worktree.path):
        return
    git("fetch", "--quiet", "origin", at=worktree.path)
    theirs = f"origin/{worktree.branch}"
    if succeeds("rev-parse", "--verify", "--quiet", theirs, at=worktree.path):
        try:
            git(*author.settings(), "merge", "--quiet", "--no-edit", theirs, at=worktree.path)
        except GitFailed:
            succeeds("merge", "--abort", at=worktree.path)
            raise
    git("push", "--quiet", "origin", to, at=worktree.path)


def is_clean(path: Path) -> bool:
    return not git("status", "--porcelain", "--ignore-submodules=dirty", at=path).strip()


def has_landed(repository: Repository, branch: str) -> bool:
    """Whether what work begins at has all of it."""
    return succeeds("merge-base", "--is-ancestor", branch, repository.start(), at=repository.place)


def is_pushed(repository: Repository, branch: str) -> bool:
    theirs = f"refs/remotes/origin/{branch}"
    return repository.has(theirs) and succeeds(
        "merge-base", "--is-ancestor", branch, theirs, at=repository.place
    )


def remove(repository: Repository, path: Path) -> None:
    """Refused by git where something in it is not committed. The branch stays."""
    if not path.exists():
        git("worktree", "prune", at=repository.place)
        return
    succeeds("worktree", "unlock", str(path), at=repository.place)
    git("worktree", "remove", str(path), at=repository.place)


def _has_large_files(path: Path) -> bool:
    """Whether Git LFS keeps some of them, and is here."""
    attributes = ("filter=lfs", "HEAD", "--", ":(glob)**/.gitattributes")
    return shutil.which("git-lfs") is not None and succeeds("grep", "--quiet", *attributes, at=path)


def _add_all(path: Path) -> None:
    """But for repositories within that have no commit yet: git adds nothing at all then."""
    others = _but_repositories(path)
    for _ in range(_MOST_BEGUN):
        try:
            git("add", "--all", "--", ".", *others, at=path)
        except GitFailed as problem:
            begun = _BEGUN.findall(str(problem))
            if not begun:
                raise
            others += [_all_but(one) for one in begun]
        else:
            return
    raise GitFailed(f"There are more than {_MOST_BEGUN} repositories without a commit in {path}.")


def _all_but(name: str) -> str:
    return f":(top,exclude,literal){name}"


def _but_repositories(path: Path) -> list[str]:
    """Within others git does what their own configuration says, and an agent may have written that."""
    listed = git("ls-files", "--stage", "-z", at=path).split("\0")
    named = [one.partition("\t")[2] for one in listed if one.startswith(_REPOSITORY)]
    return [_all_but(name) for name in named if (path / name / ".git").exists()]


def _wanted(repository: Repository, path: Path, branch: str) -> list[str]:
    """Words that make the worktree of a branch, wherever the branch is."""
    if not branch:
        return ["--detach", str(path), repository.start()]
    if repository.has(f"refs/heads/{branch}"):
        return [str(path), branch]
    theirs = f"refs/remotes/origin/{branch}"
    begin = f"origin/{branch}" if repository.has(theirs) else repository.start()
    return ["--no-track", "-b", branch, str(path), begin]


def _is_finished(path: Path) -> bool:
    """It is locked once it is whole: of a checkout that was killed, files are missing that nobody deleted."""
    return (path / ".git").is_file() and _lock_of(path) == FINISHED


def _lock_of(path: Path) -> str:
    try:
        own = git("rev-parse", "--absolute-git-dir", at=path).strip()
        return (Path(own) / "locked").read_text(encoding="utf-8").strip()
    except (GitFailed, OSError):
        return ""


def _clear(repository: Repository, path: Path) -> None:
    """Make room: a half-made checkout holds nothing, and what git no longer knows is put aside."""
    if not path.exists():
        return
    if _is_worktree_of(repository, path) or not (path / ".git").exists():
        shutil.rmtree(path)
        return
    place = next(
        one for n in range(1, 1000) if not (one := path.with_name(f"{path.name}.aside-{n}")).exists()
    )
    path.rename(place)


def _is_worktree_of(repository: Repository, path: Path) -> bool:
    try:
        own = git("rev-parse", "--absolute-git-dir", at=path).strip()
    except GitFailed:
        return False
    return Path(own).is_relative_to(repository.place.resolve())


def _forget_crash(path: Path) -> None:
    """A git that was killed leaves its lock."""
    own = git("rev-parse", "--absolute-git-dir", at=path).strip()
    (Path(own) / "index.lock").unlink(missing_ok=True)
