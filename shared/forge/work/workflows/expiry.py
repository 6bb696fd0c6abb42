"""The sweep's look at work under a lock: what nobody renewed is over, and its issue is free again."""

from typing import TYPE_CHECKING

from forge.store.keys import Key
from forge.work.backlog import repositories
from forge.work.backlog.places import BacklogStatus
from forge.work.log import acting
from forge.work.tracking.choosing import tracker_of
from forge.work.tracking.trackers import Mark
from forge.work.workflows import holding
from forge.work.workflows.workflows import Outcome, WorkflowItem

if TYPE_CHECKING:
    from forge.work.log.sweep import Sweep


def look(sweep: "Sweep", key: Key) -> bool:
    """Free an issue whose lease has expired; whether it was still held."""
    workflow = sweep.store.table.find(WorkflowItem, key)
    if workflow is None or workflow.lease_expires_at > sweep.now:
        return False
    ctx = acting.context_of_nobody(sweep, workflow.workspace_id)
    hold = holding.read(ctx, workflow.repository_id, workflow.number)
    if hold.workflow is None or hold.is_live(sweep.now):
        return False
    tx = ctx.plan()
    holding.end(tx, hold, Outcome.ABANDONED, by=holding.BY_EXPIRY)
    known = repositories.find(ctx.table, workflow.workspace_id, workflow.repository_id)
    if known is not None:
        mark = Mark(lock=None, turn=hold.lease.version, status=BacklogStatus.BACKLOG)
        tracker_of(ctx, known).settle(tx, workflow.number, mark, held=hold.lock)
    ctx.commit()
    return True
