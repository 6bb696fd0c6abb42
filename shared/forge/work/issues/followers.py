"""What follows from an issue: its places in queue and backlog, its claim, and what counts it."""

from collections.abc import Iterator
from datetime import datetime

from forge.store.followers import Follower, Tally
from forge.store.items import DerivedItem
from forge.store.keys import At, Partition
from forge.work.issues import counts
from forge.work.issues.backlog_rows import rows
from forge.work.issues.claims.rows import claim_row
from forge.work.issues.issues import PRIORITIES, IssueItem
from forge.work.workspace.people.agents import LOAD
from forge.work.workspace.projects.projects import CYCLE_COUNT

QUEUE = Partition("WS#{workspace_id}#QUEUE")
HELD_QUEUE = Partition("WS#{workspace_id}#QUEUE#HELD")
BLOCKED_QUEUE = Partition("WS#{workspace_id}#QUEUE#BLOCKED")


class QueueItem(DerivedItem):
    """A row for each queued issue that is open: among what is free, claimed, or blocked.

    It repeats what decides who may take the issue, so that choosing needs no issue to be read.
    """

    stored = At(QUEUE, "{turn}#{created_at}#{issue_id}")
    instead = (
        At(BLOCKED_QUEUE, "{issue_id}", when="is_blocked"),
        At(HELD_QUEUE, "{held_until}#{issue_id}", when="held_until"),
    )

    workspace_id: str
    issue_id: str
    rank: int
    created_at: datetime
    held_until: datetime | None = None
    """While it is claimed, or queued for later: until when. Past that it is free to take."""
    is_blocked: bool = False
    project_id: str | None = None
    label_ids: frozenset[str] = frozenset()
    assigned_agent_id: str | None = None

    @property
    def is_free(self) -> bool:
        return not (self.is_blocked or self.held_until)

    @property
    def turn(self) -> int:
        """Read ascending: the most urgent first, then the oldest."""
        return PRIORITIES - 1 - self.rank

    @property
    def order(self) -> tuple[int, datetime, str]:
        """The most urgent first, then the oldest."""
        return -self.rank, self.created_at, self.issue_id


def follows(issue: IssueItem) -> Iterator[Follower]:
    """All that is stored of an issue elsewhere."""
    if issue.queued and issue.is_open:
        yield queue_row(issue)
    if issue.claimed_by_agent_id:
        yield claim_row(issue, issue.claimed_by_agent_id)
    yield from rows.follows(issue)
    yield from counts.follows(issue)
    if issue.assigned_agent_id and issue.is_open:
        yield load_of(issue.workspace_id, issue.assigned_agent_id)
    if issue.cycle_id and issue.deleted_at is None:
        yield Tally(CYCLE_COUNT(issue.workspace_id, issue.cycle_id), "issue_count")


def load_of(workspace_id: str, agent_id: str) -> Tally:
    """One more open issue of an agent's."""
    return Tally(LOAD(workspace_id, agent_id), "open")


def queue_row(issue: IssueItem) -> QueueItem:
    """Its place among what can be claimed."""
    return QueueItem.of(
        issue,
        issue_id=issue.id,
        rank=issue.priority.rank,
        held_until=issue.claim_expires_at if issue.claimant_id else issue.queued_from,
        is_blocked=issue.open_blockers > 0,
    )
