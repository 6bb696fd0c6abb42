"""Writing the head of an issue, and with it whatever follows from a change: counts, queue, load, cycles."""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from forge.store.items import DerivedItem
from forge.store.keys import At, Partition
from forge.store.physical import INDEX_BY_NAME
from forge.store.transactions import Transaction, overtaken
from forge.work.issues import counts
from forge.work.issues.backlog_rows import rows
from forge.work.issues.identifiers import ReferenceItem
from forge.work.issues.inbox.rows import OF_AGENT
from forge.work.issues.issues import PRIORITIES, BodyItem, IssueItem
from forge.work.workspace.labels import LabelCountItem
from forge.work.workspace.people.agents import LOAD
from forge.work.workspace.projects.projects import CYCLE_COUNT
from forge.work.workspace.statuses import StatusCategory, StatusCopy

QUEUE = Partition("WS#{workspace_id}#QUEUE")
HELD_QUEUE = Partition("WS#{workspace_id}#QUEUE#HELD")
BLOCKED_QUEUE = Partition("WS#{workspace_id}#QUEUE#BLOCKED")


class QueueItem(DerivedItem):
    """A row for each queued issue that is open: among what is free, claimed, or blocked.

    It repeats what decides who may take the issue, so that choosing needs no issue to be read. Whoever
    changes the issue writes it, under the issue's version.
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
    """While it is claimed: until when. Past that it is free to take."""
    is_blocked: bool = False
    project_id: str | None = None
    label_ids: frozenset[str] = frozenset()
    assigned_agent_id: str | None = None

    @property
    def turn(self) -> int:
        """Read ascending: the most urgent first, then the oldest."""
        return PRIORITIES - 1 - self.rank

    @property
    def order(self) -> tuple[int, datetime, str]:
        """The most urgent first, then the oldest."""
        return -self.rank, self.created_at, self.issue_id


class Seat(NamedTuple):
    """A place at an agent that auto-dispatch gives out: not beyond the limit, whoever else does so now."""

    agent_id: str
    most: int
    """How many open issues it may have; 0 for any number."""


class ClaimItem(DerivedItem):
    """Finds what an agent has claimed. Like the queue's rows, it is written with the issue's head."""

    stored = At(OF_AGENT, "CLAIM#{issue_id}")

    workspace_id: str
    agent_id: str
    issue_id: str
    claimed_at: datetime | None = None
    session: str | None = None
    runtime_id: str | None = None


def add(tx: Transaction, issue: IssueItem, body: BodyItem, *, seat: Seat | None = None) -> None:
    tx.create(issue)
    tx.create(body)
    number = str(issue.number)
    tx.create(ReferenceItem(workspace_id=issue.workspace_id, name=number, issue_id=issue.id))
    counts.move(tx, None, issue)
    _move_queue_row(tx, None, issue)
    rows.move(tx, None, issue)
    _move_load(tx, None, issue, seat=seat)


def replace(tx: Transaction, before: IssueItem, after: IssueItem, *, seat: Seat | None = None) -> None:
    """Store a changed head."""
    _replace(tx, before, rows.settled(after), seat=seat)


def _replace(tx: Transaction, before: IssueItem, after: IssueItem, *, seat: Seat | None = None) -> None:
    if before.cycle_id != after.cycle_id:
        # A rollover takes along what was there when it was decided, and not what was added since.
        after = after.changed(cycle_since=tx.origin.now if after.cycle_id else None)
    tx.replace(after)
    counts.move(tx, before, after)
    _move_queue_row(tx, before, after)
    rows.move(tx, before, after)
    _move_load(tx, before, after, seat=seat)
    _move_claim(tx, before, after)
    _move_cycle(tx, before, after)


def keep_claim(tx: Transaction, issue: IssueItem) -> bool:
    """Whoever has claimed the issue and works on it keeps it; whether the head had to be written for that."""
    kept = issue.with_claim_kept_up(tx.origin.caller, tx.origin.now)
    if kept is issue:
        return False
    replace(tx, issue, kept.changed(updated_at=tx.origin.now))
    return True


def touch(tx: Transaction, issue: IssueItem) -> None:
    """Say that something happened to an issue, without minding who else changes it at the same time."""
    if keep_claim(tx, issue):
        return
    moved = issue.changed(updated_at=tx.origin.now)
    place = next(place for place in moved.index_keys if place.index_name == "updated")
    sort = INDEX_BY_NAME["updated"].sort
    tx.adjust(issue.key, assign={"updated_at": moved.updated_at, sort: place.sort})


def settle_blocked(
    tx: Transaction, before: IssueItem, after: IssueItem, blocked: Iterable[IssueItem]
) -> None:
    """An issue that closes frees what it blocks; one that is opened again blocks it again."""
    delta = int(after.is_open) - int(before.is_open)
    if delta == 0:
        return
    others = list(blocked)
    is_few = sum(other.backlog is not None for other in others) <= rows.MOST_AT_ONCE
    for other in others:
        changed = other.blocked_by(after.number, is_blocking=delta > 0)
        _replace(tx, other, rows.settled(changed) if is_few else changed)
    if not is_few:
        rows.settle_later(tx)


def count_labels(tx: Transaction, workspace_id: str, *, added: Iterable[str], removed: Iterable[str]) -> None:
    """A count that is gone is a label that was deleted meanwhile: then the handler runs again."""
    for delta, label_ids in ((1, added), (-1, removed)):
        for label_id in sorted(label_ids):
            tx.adjust(LabelCountItem.at(workspace_id, label_id), add={"issue_count": delta})


def queue_row(issue: IssueItem) -> QueueItem | None:
    """Its place among what can be claimed: none while it is not queued, or not open."""
    if not issue.queued or not issue.is_open:
        return None
    return QueueItem(
        workspace_id=issue.workspace_id,
        issue_id=issue.id,
        rank=issue.priority.rank,
        created_at=issue.created_at,
        held_until=issue.claim_expires_at if issue.claimant_id else None,
        is_blocked=issue.open_blockers > 0,
        project_id=issue.project_id,
        label_ids=issue.label_ids,
        assigned_agent_id=issue.assigned_agent_id,
    )


def _move_queue_row(tx: Transaction, before: IssueItem | None, after: IssueItem) -> None:
    old, new = queue_row(before) if before else None, queue_row(after)
    if old == new:
        return
    if old and new and old.key == new.key:
        # Under the head's version nobody else writes the row; its own never moves.
        tx.rewrite(new)
        return
    if old:
        tx.delete(old)
    if new:
        # It is there only if the issue changed meanwhile, and then everything is decided again.
        tx.create(new, refusal=overtaken)


def _move_load(tx: Transaction, before: IssueItem | None, after: IssueItem, *, seat: Seat | None) -> None:
    old, new = _works_on(before) if before else None, _works_on(after)
    if seat and seat.agent_id == new:
        _take_seat(tx, seat, after.workspace_id, is_taken=old == new)
        new = old if old == new else None
    if old == new:
        return
    for agent_id, delta in ((old, -1), (new, 1)):
        if agent_id:
            tx.tally(LOAD(after.workspace_id, agent_id), "open", delta)


def _take_seat(tx: Transaction, seat: Seat, workspace_id: str, *, is_taken: bool) -> None:
    """If the last place is gone meanwhile, everything is decided again."""
    tx.adjust(
        LOAD(workspace_id, seat.agent_id),
        add=None if is_taken else {"open": 1},
        assign={"last_dispatched_at": tx.origin.now},
        below={"open": seat.most} if seat.most and not is_taken else None,
    )


def stamps(issue: IssueItem, status: StatusCopy, now: datetime) -> dict[str, object]:
    """A status for an issue, and when it was reached."""
    category = status.category
    return {
        "status_id": status.id,
        "category": category,
        "started_at": issue.started_at or (now if category is StatusCategory.IN_PROGRESS else None),
        "completed_at": (issue.completed_at or now) if category is StatusCategory.DONE else None,
        "canceled_at": (issue.canceled_at or now) if category is StatusCategory.CANCELED else None,
    }


def _move_claim(tx: Transaction, before: IssueItem, after: IssueItem) -> None:
    old, new = _claim_row(before), _claim_row(after)
    if old == new:
        return
    if old and (new is None or old.key != new.key):
        tx.forget(old)
    if new:
        tx.overwrite(new)


def _claim_row(issue: IssueItem) -> ClaimItem | None:
    if issue.claimed_by_agent_id is None:
        return None
    return ClaimItem(
        workspace_id=issue.workspace_id,
        agent_id=issue.claimed_by_agent_id,
        issue_id=issue.id,
        claimed_at=issue.claimed_at,
        session=issue.claim_session,
        runtime_id=issue.claim_runtime_id,
    )


def _move_cycle(tx: Transaction, before: IssueItem, after: IssueItem) -> None:
    old, new = _counts_for(before), _counts_for(after)
    if old == new:
        return
    for cycle_id, delta in ((old, -1), (new, 1)):
        if cycle_id:
            tx.tally(CYCLE_COUNT(after.workspace_id, cycle_id), "issue_count", delta)


def _counts_for(issue: IssueItem) -> str | None:
    """The cycle that counts the issue."""
    return issue.cycle_id if issue.deleted_at is None else None


def _works_on(issue: IssueItem) -> str | None:
    """The agent whose place the issue takes up."""
    return issue.assigned_agent_id if issue.is_open else None
