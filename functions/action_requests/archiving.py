"""Putting an issue away: no list shows it any more, its runs end, and what it blocked is free."""

from forge.errors import PreconditionFailed
from forge.store.keys import Key
from forge.store.transactions import MOST_WRITES
from forge.work.issues.announcements import BY_REQUEST, ISSUE_ARCHIVED, IssueArchived
from forge.work.issues.changes import IssueChange, keys_of_runs
from forge.work.issues.issues import NO_CLAIM, IssueItem
from forge.work.issues.runs.runs import RunStatus

_BESIDE = 14
"""Head, event, counts, queue, load, claim and cycle, and what the tool that archives writes of its own."""


def runs_to_end(issue: IssueItem) -> list[Key]:
    return keys_of_runs(issue, issue.live_runs)


def issues_to_settle(issue: IssueItem) -> list[str]:
    """What is freed; a closed issue blocks nothing."""
    return issue.blocks if issue.is_open else []


def archive(change: IssueChange, *, by_request_id: str | None = None) -> list[str]:
    """The labels that the issue no longer counts for, for whoever writes the change to count down."""
    issue, names = change.issue, change.desk.names
    labels = sorted(label_id for label_id in issue.label_ids if names.label(label_id))
    _require_room(issue, labels=len(labels))
    via = {"via": BY_REQUEST, "action_request_id": by_request_id} if by_request_id else {}
    change.set(deleted_at=change.now, **NO_CLAIM)
    told = IssueArchived(number=issue.number, title=issue.title, **via)
    change.announce(ISSUE_ARCHIVED, told, action="archive", is_quiet=True)
    change.end_runs(issue.live_runs, lambda run: (RunStatus.ABANDONED, "The issue was archived."))
    return labels


def _require_room(issue: IssueItem, *, labels: int) -> None:
    """All of it is one transaction, which holds only so much."""
    freed = len(issues_to_settle(issue))
    if _BESIDE + 3 * len(issue.live_runs) + 3 * freed + labels > MOST_WRITES:
        raise PreconditionFailed(
            "This issue has too many labels, live runs and blocked issues to be put away at once.",
            hint="Close it first: that ends its runs and frees what it blocks.",
        )
