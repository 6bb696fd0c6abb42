"""The sweep's look at work under a lock: what nobody renewed is over, and its issue is free again."""

from typing import TYPE_CHECKING

from forge.store.keys import Key
from forge.work.background.sweep import acting
from forge.work.backlog.workflows import giving_back, holding
from forge.work.backlog.workflows.workflows import WorkflowItem

if TYPE_CHECKING:
    from forge.work.background.sweep.sweep import Sweep


def look(sweep: "Sweep", key: Key) -> bool:
    """Free an issue whose lease has expired; whether it was still held."""
    workflow = sweep.store.table.find(WorkflowItem, key)
    if workflow is None or workflow.lease_expires_at > sweep.now:
        return False
    ctx = acting.context_of_nobody(sweep, workflow.workspace_id)
    hold = holding.read(ctx, workflow.repository_id, workflow.number)
    if hold.workflow is None or hold.is_live(sweep.now):
        return False
    giving_back.give_back(ctx.plan(), ctx, hold, hold.workflow, by=holding.BY_EXPIRY)
    ctx.commit()
    return True
