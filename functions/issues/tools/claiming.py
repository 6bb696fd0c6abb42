"""Queueing issues, and taking them."""

from forge.context import Context
from forge.contract.terms import EXECUTE_ONLY, Effect, Scope
from forge.contract.tools import Namespace
from forge.errors import Forbidden
from forge.work.changes import IssueChange, keys_of_agents
from forge.work.desks import open_issue
from forge.work.events import EventKind
from forge.work.issue_views import IssueRow, row_of
from forge.work.names import keys_of
from functions.issues.models.claiming import Claim, ClaimIssue, QueueIssue, ReleaseIssue, SetQueued
from functions.issues.rules import claims, queueing

namespace = Namespace("issues", "Queue issues and take them.")


@namespace.tool(scopes=[Scope.WRITE_ISSUES], effect=Effect.MUTATING, modes=EXECUTE_ONLY, idempotent=True)
def queue(request: QueueIssue, ctx: Context) -> IssueRow:
    """Put an issue into the queue, where somebody or auto-dispatch takes it; one that is there stays.

    issues.list {"queued": true} shows the queue, issues.setQueued takes an issue out of it.
    Example: {"id": "DEMO-1"}
    """
    return queueing.set_queued(ctx, request.id, is_queued=True)


@namespace.tool(
    scopes=[Scope.WRITE_ISSUES], effect=Effect.MUTATING, modes=EXECUTE_ONLY, idempotent=True, name="setQueued"
)
def set_queued(request: SetQueued, ctx: Context) -> IssueRow:
    """Put an issue into the queue or take it out; a claim on it stays.

    Example: {"id": "DEMO-1", "queued": false}
    """
    return queueing.set_queued(ctx, request.id, is_queued=request.queued)


@namespace.tool(
    scopes=[Scope.WRITE_ISSUES],
    effect=Effect.MUTATING,
    modes=EXECUTE_ONLY,
    asks=["what should I do next", "pick up work", "take the next task", "lock it for me"],
)
def claim(request: ClaimIssue, ctx: Context) -> Claim:
    """Make an issue yours for a while: by id, or without one the best that waits in the queue.

    Never one that is blocked, closed, claimed, or another agent's: then `claimed` is null. Claim again to
    keep it longer, issues.release to give it back. Example: {"claimTtlMinutes": 120}
    """
    if request.issue_id is None:
        return claims.take_best(ctx, request.claim_ttl_minutes)
    return claims.take(ctx, request.issue_id, request.claim_ttl_minutes)


@namespace.tool(
    scopes=[Scope.WRITE_ISSUES],
    effect=Effect.MUTATING,
    modes=EXECUTE_ONLY,
    idempotent=True,
    asks=["give up an issue", "drop a task", "stop working on it"],
)
def release(request: ReleaseIssue, ctx: Context) -> IssueRow:
    """Give a claim back, so that others can take the issue; an issue that nobody claimed stays as it is.

    An agent gives back only its own claims. Example: {"id": "DEMO-1"}
    """
    desk = open_issue(ctx, request.id)
    issue = desk.issue
    desk.fetch([*keys_of(issue), *keys_of_agents(desk)])
    if issue.claimant_id is None:
        return row_of(issue, desk.names)
    is_held = issue.is_claimed(ctx.now())
    if is_held and ctx.caller.agent_id and issue.claimed_by_agent_id != ctx.caller.agent_id:
        raise Forbidden("Somebody else has claimed this issue.", hint="Ask them, or wait until it expires.")
    with ctx.transaction() as tx:
        change = IssueChange(desk, tx)
        change.set(claimed_at=None, claimed_by_id=None, claimed_by_agent_id=None, claim_expires_at=None)
        change.announce(EventKind.ISSUE_UPDATED, {"claimed": False}, action="release")
        saved = change.save()
    return row_of(saved, desk.names)
