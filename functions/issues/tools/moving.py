"""Moving issues through the board."""

from forge.context import Context
from forge.contract.terms import EXECUTE_ONLY, Effect, Scope
from forge.contract.tools import Namespace
from forge.work import transitions
from forge.work.changes import IssueChange
from forge.work.desks import open_issue
from forge.work.issue_views import IssueRow, row_of
from forge.work.names import keys_of
from functions.issues.models.moving import Transitioned, TransitionIssue, TransitionIssues
from functions.issues.rules import bulk

namespace = Namespace("issues", "Move issues through the board.")


@namespace.tool(
    scopes=[Scope.WRITE_ISSUES],
    effect=Effect.MUTATING,
    modes=EXECUTE_ONLY,
    idempotent=True,
    asks=["close an issue", "mark it as done", "change the status", "reopen a ticket"],
)
def transition(request: TransitionIssue, ctx: Context) -> IssueRow:
    """Move an issue to another status and return it.

    A DONE or CANCELED one ends all runs of the issue and frees what it blocks.
    Example: {"id": "DEMO-1", "statusId": "sta_01J…"}
    """
    desk = open_issue(ctx, request.id)
    status = transitions.status_of(desk.workspace, request.status_id)
    desk.fetch([*keys_of(desk.issue), *transitions.needs(desk, status)])
    if status.id == desk.issue.status_id:
        return row_of(desk.issue, desk.names)
    with ctx.transaction() as tx:
        change = IssueChange(desk, tx)
        transitions.move(change, status)
        saved = change.save()
    return row_of(saved, desk.names)


@namespace.tool(
    scopes=[Scope.WRITE_ISSUES],
    effect=Effect.MUTATING,
    modes=EXECUTE_ONLY,
    idempotent=True,
    name="bulkTransition",
)
def bulk_transition(request: TransitionIssues, ctx: Context) -> Transitioned:
    """Move up to 200 issues to one status; how many really moved.

    All are checked first: if one is unknown or out of reach, none moves. Then they move by twenties; of what
    somebody else changed at that very moment `failed` tells, or a conflict: call again.
    Example: {"ids": ["DEMO-1", "DEMO-2"], "statusId": "sta_01J…"}
    """
    wanted = bulk.look_up(ctx, request)
    count, failed = bulk.move_all(ctx, wanted)
    return Transitioned(count=count, status_id=wanted.status.id, failed=failed)
