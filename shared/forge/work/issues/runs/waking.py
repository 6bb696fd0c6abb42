"""Wakes on their way: what a run knows of the tries to reach its agent, and by when that must react."""

from datetime import datetime, timedelta
from typing import NamedTuple

from forge.store.transactions import Transaction
from forge.work.issues.runs import runs, silence
from forge.work.issues.runs.runs import RunItem
from forge.work.record.log.events import EventKind
from forge.work.workspace.workspaces import WorkspaceItem

WAKE_DELIVERED = "WAKE_DELIVERED"


class WakeTry(NamedTuple):
    """The delivery that was tried, and the event that it tells of."""

    delivery_id: str
    event_id: str
    event_kind: str


def tried(
    tx: Transaction, run: RunItem, wake: WakeTry, *, is_delivered: bool, workspace: WorkspaceItem
) -> None:
    """Write down a try, and of one that succeeded what follows; a run that is over has no more events."""
    now = tx.origin.now
    after = with_try(run, wake, now)
    if is_delivered and run.is_live:
        after = with_ack_due(after, wake, now=now, seconds=workspace.required_ack_seconds)
        told = {"deliveryId": wake.delivery_id, "eventId": wake.event_id, "kind": wake.event_kind}
        runs.note(tx, run, WAKE_DELIVERED, told)
    tx.replace(after)


def with_try(run: RunItem, wake: WakeTry, now: datetime) -> RunItem:
    return run.changed(
        last_wake_at=now, wake_attempts=run.wake_attempts + 1, last_wake_delivery_id=wake.delivery_id
    )


def with_ack_due(run: RunItem, wake: WakeTry, *, now: datetime, seconds: int) -> RunItem:
    """An agent that was given work has so long to show a sign, from when it could know; 0 is no limit.

    Only of the assignment that counts: the post may be late, and tell of an earlier one.
    """
    is_its_assignment = (wake.event_kind, wake.event_id) == (
        EventKind.AGENT_ASSIGNED,
        run.assignment_event_id,
    )
    if not is_its_assignment or seconds == 0 or silence.has_answered(run):
        return run
    return run.changed(ack_due_at=now + timedelta(seconds=seconds))
