"""Giving a lock back for somebody who does not: it expired, or its holder is gone."""

from forge.context import Context
from forge.store.transactions import Transaction
from forge.work.backlog import repositories
from forge.work.backlog.trackers import native
from forge.work.backlog.trackers.choosing import tracker_of
from forge.work.backlog.trackers.trackers import StatusMark
from forge.work.backlog.workflows import holding
from forge.work.backlog.workflows.holding import LockHold
from forge.work.backlog.workflows.workflows import WorkflowItem, WorkflowOutcome
from forge.work.issues.backlog_rows.places import BacklogStatus
from forge.work.issues.issues import IssueItem


def give_back(tx: Transaction, ctx: Context, hold: LockHold, workflow: WorkflowItem, *, by: str) -> None:
    """The work is abandoned, and its issue free again, whatever became of the repository meanwhile."""
    holding.end(tx, hold, WorkflowOutcome.ABANDONED, by=by)
    mark = StatusMark(lock=None, turn=hold.lease.version, status=BacklogStatus.BACKLOG)
    known = repositories.find(ctx.table, workflow.workspace_id, workflow.repository_id)
    if known is None:
        native.settle_held(ctx, tx, workflow.number, mark, held=hold.lock)
        return
    tracker_of(ctx, known).settle(tx, workflow.number, mark, held=hold.lock)


def give_back_issue(ctx: Context, issue: IssueItem, *, by: str) -> bool:
    """The same for an issue that is kept here, in a transaction of its own; whether its lock was found."""
    place = issue.backlog
    if issue.lock is None or place is None:
        return False
    hold = holding.read(ctx, place.repository_id, issue.number)
    if hold.workflow is None or hold.lock != issue.lock:
        return False
    give_back(ctx.plan(), ctx, hold, hold.workflow, by=by)
    ctx.commit()
    return True
