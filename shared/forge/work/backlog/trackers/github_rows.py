"""What an issue on GitHub means to a backlog: its labels, and what is known of it here. Pure.

The lock is ours alone. Of a status that was decided here and not yet told there, ours counts.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from forge.github.records import GitHubIssue
from forge.store.folding import folded
from forge.work.backlog.github import foreign_texts
from forge.work.backlog.repositories import RepositoryItem
from forge.work.backlog.trackers.errands import ErrandItem
from forge.work.backlog.trackers.trackers import WORDS, Tracked
from forge.work.backlog.workflows.workflows import WorkflowItem
from forge.work.issues.backlog_rows.places import (
    BLOCKING,
    BY_WEIGHT,
    COLORS,
    BacklogStatus,
    IssueType,
    status_label,
    type_label,
)
from forge.work.issues.backlog_rows.rows import BacklogItem, Shelf
from forge.work.issues.issues import IssueItem, IssueLock, Priority

MAX_TITLE = 256
_PRIORITIES = {f"priority:{word}": priority for priority, word in WORDS.items()}
"""The most urgent first."""

LABELS: Mapping[str, tuple[str, str]] = {
    "priority:critical": ("b60205", "An outage, or a hole in security"),
    "priority:high": ("d93f0b", "Hurts many"),
    "priority:medium": ("fbca04", "Ordinary work"),
    "priority:low": ("0e8a16", "Good to have"),
    "type:bug": (COLORS["type:bug"][1:], "Something does not work"),
    "type:feature": (COLORS["type:feature"][1:], "Something new"),
    "type:chore": (COLORS["type:chore"][1:], "Upkeep"),
    "type:docs": (COLORS["type:docs"][1:], "Texts for people"),
    "status:backlog": (COLORS["status:backlog"][1:], "Nobody has begun"),
    "status:in-progress": (COLORS["status:in-progress"][1:], "Somebody works on it"),
    "status:in-review": (COLORS["status:in-review"][1:], "There is a pull request"),
    "status:blocked": (COLORS["status:blocked"][1:], "Something is missing first"),
}
"""The labels that a backlog on GitHub has: color and description of each."""


class KnownMarks(NamedTuple):
    """What is known here of an issue that GitHub keeps."""

    workflow: WorkflowItem | None = None
    status: BacklogStatus | None = None
    """Decided here, and not told there yet."""
    is_done: bool = False
    twin: IssueItem | None = None
    """The issue that was made of it here, while that is open."""

    @property
    def lock(self) -> IssueLock | None:
        if self.workflow is None or self.workflow.freed_at:
            return None
        return IssueLock(
            session_id=self.workflow.session_id,
            until=self.workflow.lease_expires_at,
            fence=self.workflow.fence,
        )


NOTHING = KnownMarks()


def known_of(workflow: WorkflowItem | None, errands: Iterable[ErrandItem]) -> KnownMarks:
    """Of several errands the last one that says something counts."""
    left = [*errands]
    status = next((one.status for one in reversed(left) if one.status), None)
    return KnownMarks(workflow, status, any(one.is_done for one in left))


def identifier_of(repository: RepositoryItem, number: int) -> str:
    return f"{repository.full_name}#{number}"


def tracked(
    issue: GitHubIssue, repository: RepositoryItem, known: KnownMarks, *, blocked_by: int | None = None
) -> Tracked:
    row = row_of(issue, repository, known)
    identifier = identifier_of(repository, issue.number)
    return Tracked(
        id=identifier,
        identifier=identifier,
        number=issue.number,
        title=foreign_texts.in_one_line(issue.title, MAX_TITLE) or identifier,
        url=issue.url,
        labels=issue.labels,
        priority=row.priority,
        type=row.type,
        status=BacklogStatus(row.status),
        is_open=issue.is_open and not known.is_done,
        created_at=issue.created_at,
        blocked_by=blocked_by,
        lock=known.lock,
    )


def row_of(issue: GitHubIssue, repository: RepositoryItem, known: KnownMarks) -> BacklogItem:
    """As a backlog that is kept here would have it."""
    names = {folded(name) for name in issue.labels}
    status = known.status or next(
        (one for one in BY_WEIGHT if status_label(one) in names), BacklogStatus.BACKLOG
    )
    lock, twin = known.lock, known.twin
    takers = frozenset(issue.assignees) | ({twin.assigned_agent_id} if twin else set()) - {None}
    is_anybodys = status is BacklogStatus.BACKLOG and not takers and not (twin and twin.claimant_id)
    return BacklogItem(
        workspace_id=repository.workspace_id,
        repository_id=repository.id,
        issue_id=identifier_of(repository, issue.number),
        number=issue.number,
        shelf=Shelf.HELD if lock else Shelf.FREE if is_anybodys else Shelf.ASIDE,
        type=next((one.value for one in IssueType if type_label(one) in names), None),
        status=status.value,
        priority=next((_PRIORITIES[name] for name in _PRIORITIES if name in names), Priority.NONE),
        is_blocking=not names.isdisjoint(BLOCKING),
        is_blocked=issue.open_blockers > 0,
        created_at=issue.created_at,
        held_until=lock.until if lock else None,
        project_id=repository.project_id,
        assignee_ids=frozenset(map(str, takers)),
        claimant_id=twin.claimant_id if twin else None,
        claimed_until=twin.claim_expires_at if twin else None,
    )
