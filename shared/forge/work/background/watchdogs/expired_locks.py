"""The sweep's look at work under a lock: what nobody renewed is let go, and stays as far as it is."""

from forge.store.keys import Key
from forge.work.backlog.locks import giving_back, holding
from forge.work.backlog.workflows.workflows import WorkflowItem
from forge.work.workspace.workers import Worker


def look(worker: Worker, key: Key) -> bool:
    """Free an issue whose lease has expired; whether it was still held."""
    workflow = worker.store.table.find(WorkflowItem, key)
    if workflow is None or workflow.lease_expires_at > worker.now:
        return False
    ctx = worker.context(workflow.workspace_id)
    hold = holding.read(ctx, workflow.repository_id, workflow.number)
    if hold.workflow is None or hold.is_live(worker.now):
        return False
    giving_back.give_back(ctx.plan(), ctx, hold, hold.workflow)
    ctx.commit()
    return True
