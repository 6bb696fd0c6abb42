"""Writing the head of an issue, and with it whatever follows from it."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from forge.store.followers import follow
from forge.store.physical import INDEX_BY_NAME
from forge.store.transactions import Transaction
from forge.work.issues.backlog_rows import rows
from forge.work.issues.claims import sleepers
from forge.work.issues.followers import follows, load_of
from forge.work.issues.identifiers import ReferenceItem
from forge.work.issues.issues import BodyItem, IssueItem
from forge.work.record.log import events
from forge.work.workspace.labels import LabelCountItem
from forge.work.workspace.people.agents import LOAD
from forge.work.workspace.statuses import StatusCategory, StatusCopy

TOUCHED_EVERY = timedelta(minutes=2)


class Seat(NamedTuple):
    """A place at an agent that auto-dispatch gives out: not beyond the limit, whoever else does so now."""

    agent_id: str
    most: int
    """How many open issues it may have; 0 for any number."""


def add(tx: Transaction, issue: IssueItem, body: BodyItem, *, seat: Seat | None = None) -> None:
    tx.create(issue)
    tx.create(body)
    number = str(issue.number)
    tx.create(ReferenceItem(workspace_id=issue.workspace_id, name=number, issue_id=issue.id))
    _follow(tx, None, issue, seat)


def replace(tx: Transaction, before: IssueItem, after: IssueItem, *, seat: Seat | None = None) -> None:
    """Store a changed head, whose place in the backlog is what it now has to be."""
    if before.cycle_id != after.cycle_id:
        # A rollover takes along what was there when it was decided, and not what was added since.
        after = after.changed(cycle_since=tx.origin.now if after.cycle_id else None)
    tx.replace(after)
    _follow(tx, before, after, seat)


def keep_claim(tx: Transaction, issue: IssueItem) -> bool:
    """Whoever has claimed the issue and works on it keeps it; whether the head had to be written for that."""
    kept = issue.with_claim_kept_up(tx.origin.caller, tx.origin.now)
    if kept is issue:
        return False
    replace(tx, issue, kept.changed(updated_at=tx.origin.now))
    return True


def touch(tx: Transaction, issue: IssueItem) -> IssueItem:
    """Say that something happened to an issue, without minding who else changes it at the same time.

    Where that was said a moment ago, it stands: a conversation would write its head with every word.
    """
    moved = issue.changed(updated_at=tx.origin.now)
    if keep_claim(tx, issue):
        return moved
    if tx.origin.now - issue.updated_at < TOUCHED_EVERY:
        return issue
    place = next(place for place in moved.index_keys if place.index_name == "updated")
    sort = INDEX_BY_NAME["updated"].sort
    tx.adjust(issue.key, assign={"updated_at": moved.updated_at, sort: place.sort})
    return moved


def settle_blocked(tx: Transaction, issue: IssueItem, others: Sequence[IssueItem]) -> None:
    """Free the issues that a closed issue blocked, or block them again when it was reopened."""
    is_few = sum(other.backlog is not None for other in others) <= rows.MOST_AT_ONCE
    for other in others:
        changed = other.blocked_by(issue.number, is_blocking=issue.is_open)
        replace(tx, other, rows.settled(changed) if is_few else changed)
    if not is_few:
        rows.settle_later(tx)


def count_labels(tx: Transaction, workspace_id: str, *, added: Iterable[str], removed: Iterable[str]) -> None:
    """A count that is gone is a label that was deleted meanwhile: then the handler runs again."""
    for delta, label_ids in ((1, added), (-1, removed)):
        for label_id in sorted(label_ids):
            tx.adjust(LabelCountItem.at(workspace_id, label_id), add={"issue_count": delta})


def _follow(tx: Transaction, before: IssueItem | None, after: IssueItem, seat: Seat | None) -> None:
    old, new = list(follows(before)) if before else [], list(follows(after))
    if seat and seat.agent_id == after.assigned_agent_id and after.is_open:
        load = load_of(after.workspace_id, seat.agent_id)
        _take_seat(tx, seat, after.workspace_id, is_taken=load in old)
        if load not in old:
            new.remove(load)
    follow(tx, old, new)
    if tx.origin.claims_sleep and sleepers.frees(old, new):
        events.tell_sleepers(tx, after.id)


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
