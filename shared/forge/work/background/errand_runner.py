"""Whoever runs errands: does at GitHub what was decided here, as often as it takes, and not twice.

All that is left to do about an issue is done together, so that the last word on its status is the one that
stays. Each step asks first what is there: a message that comes twice finds nothing left to do.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from forge import deadline
from forge.github.client import GitHubRepository
from forge.github.failures import Exhausted, GitHubFailure, GitHubRefused, NotThere
from forge.github.records import GitHubIssue
from forge.store.transactions import VersionMoved
from forge.work.backlog import repositories
from forge.work.backlog.github import connections
from forge.work.backlog.repositories import Provider
from forge.work.backlog.trackers import errands, github_rows
from forge.work.backlog.trackers.errands import ErrandItem
from forge.work.backlog.trackers.github_rows import KnownMarks
from forge.work.issues.backlog_rows.places import BacklogStatus, status_label
from forge.work.record.log import events
from forge.work.workspace import jobs
from forge.work.workspace.workers import Worker

SECONDS = 45.0
"""Seconds for the errands of one issue: fewer than the function that runs them has."""
GIVEN_UP_AFTER = timedelta(days=3)
FIRST_WAIT, GROWTH, LONGEST_WAIT = timedelta(seconds=30), 4, timedelta(hours=1)
_CLOCKS_DIFFER_BY = timedelta(hours=1)
_NOT_ALLOWED = frozenset({401, 403})
"""What an operator can mend: the token is no good, or may not."""


def consume(worker: Worker, text: str) -> int:
    """Do what is left to do about the issue that a message names; how many errands are over."""
    workspace_id, issue = jobs.read(ErrandItem, text)
    repository_id, _, number = issue.rpartition("#")
    begun = deadline.begin(SECONDS)
    try:
        return run(worker, workspace_id, repository_id, int(number))
    finally:
        deadline.end(begun)


def run(worker: Worker, workspace_id: str, repository_id: str, number: int) -> int:
    left = errands.of_issue(worker.store.table, workspace_id, repository_id, number)
    if not left:
        return 0
    try:
        over = _run(worker, left)
    except VersionMoved:
        # Somebody else runs them, too: whatever they leave is looked at again.
        return run(worker, workspace_id, repository_id, number)
    # As many as fit into one transaction, and then the rest.
    is_rest = over == errands.MOST_AT_ONCE
    return over + (run(worker, workspace_id, repository_id, number) if is_rest else 0)


def _run(worker: Worker, left: Sequence[ErrandItem]) -> int:
    workspace_id, repository_id = left[0].workspace_id, left[0].repository_id
    repository = repositories.find(worker.store.table, workspace_id, repository_id)
    if repository is None or repository.provider is not Provider.GITHUB:
        return _end(worker, left, failure="The repository is not registered any more.")
    try:
        _carry_out(connections.connect(worker, repository), left)
    except GitHubFailure as failure:
        return _fail(worker, left, failure)
    return _end(worker, left)


def is_final(failure: GitHubFailure, begun_at: datetime, now: datetime) -> bool:
    """Whether trying again can't help: GitHub has no such issue, or refuses for good."""
    if isinstance(failure, NotThere) or now - begun_at > GIVEN_UP_AFTER:
        return True
    return isinstance(failure, GitHubRefused) and failure.status not in _NOT_ALLOWED


def wait_after(failure: GitHubFailure, tries: int) -> timedelta:
    """As long as GitHub says; else longer each time."""
    if isinstance(failure, Exhausted) and failure.retry_after_seconds:
        return timedelta(seconds=failure.retry_after_seconds)
    longer: timedelta = FIRST_WAIT * GROWTH ** min(tries, 6)
    return min(longer, LONGEST_WAIT)


def _carry_out(github: GitHubRepository, left: Sequence[ErrandItem]) -> None:
    number = left[0].number
    issue = github.issue(number)
    wanted = github_rows.known_of(None, left)
    if wanted.status or wanted.is_done:
        _relabel(github, issue, wanted)
    for errand in left:
        if errand.comment:
            _say(github, errand, errand.comment)
    if wanted.is_done and issue.is_open:
        github.close_issue(number)


def _relabel(github: GitHubRepository, issue: GitHubIssue, wanted: KnownMarks) -> None:
    """Set the status label on GitHub: none on a closed issue; old ones go first, so nobody sees two."""
    is_over = wanted.is_done or not issue.is_open
    target = None if is_over or wanted.status is None else status_label(wanted.status)
    present = {name.casefold(): name for name in issue.labels}
    for label in map(status_label, BacklogStatus):
        if label in present and label != target:
            github.remove_label(issue.number, present[label])
    if target is not None and target not in present:
        color, description = github_rows.LABELS[target]
        github.create_label(target, color=color, description=description)
        github.add_labels(issue.number, [target])


def _say(github: GitHubRepository, errand: ErrandItem, text: str) -> None:
    """The mark, which nobody sees, tells whether it was said before."""
    mark = f"<!-- forge {errand.repository_id}/{errand.number}/{errand.turn} -->"
    since = errand.created_at - _CLOCKS_DIFFER_BY
    if not any(mark in one.body for one in github.comments(errand.number, since=since)):
        github.create_comment(errand.number, f"{text}\n\n{mark}")


def _end(worker: Worker, left: Sequence[ErrandItem], *, failure: str | None = None) -> int:
    """End errands in one transaction, which fails if another worker has ended one of them."""
    ctx = worker.context(left[0].workspace_id)
    tx = ctx.plan()
    for errand in left:
        tx.delete(errand)
    if failure is not None:
        last = left[-1].changed(failure=failure)
        events.record_change(tx, "errand", last.called, action="give-up", after=last)
    ctx.commit()
    return len(left)


def _fail(worker: Worker, left: Sequence[ErrandItem], failure: GitHubFailure) -> int:
    now = worker.now
    if is_final(failure, left[0].created_at, now):
        return _end(worker, left, failure=failure.message)
    ctx = worker.context(left[0].workspace_id)
    tx = ctx.plan()
    first = left[0]
    later = now + wait_after(failure, first.tries)
    tx.replace(first.changed(tries=first.tries + 1, failure=failure.message[:500], look_at=later))
    for errand in left[1:]:
        tx.replace(errand.changed(look_at=later + errands.LOOKED_AT_AFTER))
    ctx.commit()
    return 0
