"""Giving a lock back for somebody who does not: it expired, or its holder is gone."""

from forge.context import Context
from forge.store.transactions import Transaction
from forge.work.backlog import repositories
from forge.work.backlog.locks import holding
from forge.work.backlog.locks.holding import LockHold
from forge.work.backlog.trackers import native
from forge.work.backlog.trackers.choosing import tracker_of
from forge.work.backlog.trackers.trackers import StatusMark
from forge.work.backlog.workflows.workflows import BY_EXPIRY, WorkflowItem, WorkflowOutcome
from forge.work.issues.backlog_rows.places import BacklogStatus
from forge.work.issues.issues import IssueItem


def give_back(tx: Transaction, ctx: Context, hold: LockHold, workflow: WorkflowItem) -> None:
    """The lock ends and the work stays: in review where it has a pull request, else free to be taken up.

    Only where its issue is not in the repository any more, or that is gone, nobody could go on: it is over.
    """
    status = BacklogStatus.BACKLOG if workflow.pr_number is None else BacklogStatus.IN_REVIEW
    mark = StatusMark(lock=None, turn=hold.lease.version, status=status)
    known = repositories.find(ctx.table, workflow.workspace_id, workflow.repository_id)
    if known is None:
        native.settle_held(ctx, tx, workflow.number, mark, held=hold.lock)
    elif tracker_of(ctx, known).settle(tx, workflow.number, mark, held=hold.lock):
        holding.let_go(tx, hold, workflow)
        return
    holding.end(tx, hold, WorkflowOutcome.ABANDONED, by=BY_EXPIRY)


def give_back_issue(ctx: Context, issue: IssueItem) -> bool:
    """The same for an issue that is kept here, in a transaction of its own; whether its lock was found."""
    place = issue.backlog
    if issue.lock is None or place is None:
        return False
    hold = holding.read(ctx, place.repository_id, issue.number)
    if hold.workflow is None or hold.lock != issue.lock:
        return False
    give_back(ctx.plan(), ctx, hold, hold.workflow)
    ctx.commit()
    return True
