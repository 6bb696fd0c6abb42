"""Making things on GitHub once, although an answer may be lost and a process may die after the deed.

An issue is made under an intent: who repeats the call finds what the first one made. A branch and a pull
request have names, by which they are found.
"""

from datetime import datetime, timedelta

from forge.context import Context
from forge.errors import Conflict
from forge.github.client import GitHubRepository
from forge.github.failures import Exhausted, GitHubFailure, GitHubRefused, OutOfReach
from forge.github.records import GitHubIssue, GitHubPull
from forge.store.items import Item
from forge.store.keys import At
from forge.store.places import KeptFor
from forge.work.backlog.refusals import BacklogRefusal, because_of_github
from forge.work.backlog.repositories import RepositoryItem
from forge.work.backlog.trackers import github_rows
from forge.work.backlog.trackers.announcements import ELSEWHERE_CREATED, SUBJECT, ElsewhereCreated
from forge.work.backlog.trackers.trackers import WORDS, Draft
from forge.work.backlog.wording import PullRequestWords
from forge.work.issues.issues import Priority
from forge.work.record.log import events

UNDER_WAY = timedelta(seconds=60)
"""Longer than a call takes: who comes later finds either what was made, or nothing."""
_CLOCKS_DIFFER_BY = timedelta(minutes=5)
_KEPT = timedelta(days=2)
_EXISTS = "already exists"


class CreationItem(Item):
    """That a call set out to make an issue, and which one it made."""

    # By the call that asked for it.
    stored = At("WS#{workspace_id}#CREATION#{claim}", "CREATION")
    kept = KeptFor(_KEPT, since="begun_at")

    workspace_id: str
    claim: str
    repository: str
    title: str
    priority: Priority
    type: str
    begun_at: datetime
    tried_at: datetime | None = None
    """Since when somebody is at it; None if GitHub has said no."""
    number: int | None = None


def create_issue(
    ctx: Context, github: GitHubRepository, repository: RepositoryItem, draft: Draft
) -> GitHubIssue:
    """The issue that this call asks for: made now, or found where an earlier try of it made it."""
    intent, is_repeated = _intend(ctx, repository, draft)
    try:
        made = _find_made(github, intent, draft) if is_repeated else None
        made = made or _make_issue(github, intent, draft)
    except (GitHubRefused, Exhausted):
        # Nothing was made, so whoever repeats it need not wait.
        _tried(ctx, intent, None)
        raise
    done = intent.changed(number=made.number)
    tx = ctx.plan()
    tx.replace(done)
    told = ElsewhereCreated(
        repository=repository.full_name, number=made.number, title=draft.title, url=made.url
    )
    identifier = github_rows.identifier_of(repository, made.number)
    events.record(tx, ELSEWHERE_CREATED, told, subject_id=identifier, action="create", after=done)
    return made


def ensure_labels(github: GitHubRepository) -> None:
    """Make the labels that the repository lacks; one that somebody else makes meanwhile is as good."""
    known = {name.casefold() for name in github.label_names()}
    for name, (color, description) in github_rows.LABELS.items():
        if name not in known:
            github.create_label(name, color=color, description=description)


def make_branch(github: GitHubRepository, branch: str) -> None:
    """Where the default branch ends; nothing changes where it is there."""
    base = github.facts().default_branch
    commit = github.branch_commit(base)
    if commit is None:
        raise GitHubRefused(f"{github.full_name} has no commit on {base} yet: push one first.", status=409)
    try:
        github.create_branch(branch, at=commit)
    except GitHubRefused as reason:
        if _EXISTS not in reason.message:
            raise
    except OutOfReach:
        if github.branch_commit(branch) is None:
            raise


def open_pull_request(github: GitHubRepository, words: PullRequestWords, *, branch: str) -> GitHubPull:
    """The pull request that is open from this branch, also somebody else's; without one, a new one."""
    try:
        return github.open_pull_of(branch) or _make_pull(github, words, branch)
    except GitHubFailure as failure:
        raise _not_opened(failure) from failure


def _make_pull(github: GitHubRepository, words: PullRequestWords, branch: str) -> GitHubPull:
    base = github.facts().default_branch
    try:
        return github.create_pull(title=words.title, body=words.body, branch=branch, base=base)
    except (GitHubRefused, OutOfReach) as failure:
        is_there = isinstance(failure, OutOfReach) or _EXISTS in failure.message
        found = github.open_pull_of(branch) if is_there else None
        if found is None:
            raise
        return found


def _not_opened(failure: GitHubFailure) -> BacklogRefusal:
    hint = "Try again: what is there already is found."
    if isinstance(failure, GitHubRefused):
        hint = "Push your commits to the branch first."
    said = f"GitHub did not open the pull request: {failure.message.rstrip('.')}. {hint}"
    return because_of_github("PR_CREATION_FAILED", said, failure)


def _intend(ctx: Context, repository: RepositoryItem, draft: Draft) -> tuple[CreationItem, bool]:
    """Whether an earlier try of this very call had the same intent."""
    claim = ctx.repetition.claim if ctx.repetition else ctx.call.request_id
    intent = CreationItem(
        workspace_id=ctx.caller.workspace_id,
        claim=claim,
        repository=repository.full_name,
        title=draft.title,
        priority=draft.priority,
        type=draft.type,
        begun_at=ctx.now(),
        tried_at=ctx.now(),
    )
    known = ctx.table.find(CreationItem, intent.key)
    if known is None:
        tx = ctx.plan()
        tx.create(intent, refusal=lambda _: _in_flight())
        events.record_change(tx, SUBJECT, repository.full_name, action="intend", after=intent)
        ctx.commit()
        return intent, False
    if known.number is not None:
        return known, True
    if known.tried_at and ctx.now() - known.tried_at < UNDER_WAY:
        raise _in_flight()
    # Of several who repeat it, one goes on.
    return _tried(ctx, known, ctx.now()), True


def _tried(ctx: Context, intent: CreationItem, at: datetime | None) -> CreationItem:
    tx = ctx.plan()
    tried = intent.changed(tried_at=at)
    tx.replace(tried)
    events.record_change(tx, SUBJECT, intent.repository, action="intend", before=intent, after=tried)
    ctx.commit()
    return tried.changed(version=tried.version + 1)


def _in_flight() -> Conflict:
    return Conflict(
        "The same call is being carried out at this moment.",
        hint="Repeat it in a minute, with the same idempotency key.",
        retryable=True,
    )


def _make_issue(github: GitHubRepository, intent: CreationItem, draft: Draft) -> GitHubIssue:
    labels = [f"priority:{WORDS[draft.priority]}", f"type:{draft.type}", "status:backlog"]
    try:
        return github.create_issue(title=draft.title, body=draft.body, labels=labels)
    except OutOfReach:
        made = _find_made(github, intent, draft)
        if made is None:
            raise
        return made


def _find_made(github: GitHubRepository, intent: CreationItem, draft: Draft) -> GitHubIssue | None:
    """By its words, among those that are not older than the intent."""
    if intent.number is not None:
        return github.issue(intent.number)
    since = intent.begun_at - _CLOCKS_DIFFER_BY
    for one in github.recent_issues(since):
        if one.created_at >= since and (one.title, one.body) == (draft.title, draft.body):
            return one
    return None
