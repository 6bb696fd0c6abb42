"""Queueing issues, and taking them."""

from forge.auth.gate import require_scopes
from forge.context import Context
from forge.contract.effects import Cost
from forge.contract.terms import EXECUTE_ONLY, Effect, Scope
from forge.work.bundles.bundles import bundle_of
from forge.work.dispatching import dispatching
from forge.work.issues.announcements import (
    AGENT_DISPATCHED,
    ISSUE_CLAIMED,
    ISSUE_QUEUED,
    ISSUE_RELEASED,
    ISSUE_UNQUEUED,
    TEMPLATE_APPLIED,
)
from forge.work.issues.changes import begin_change
from forge.work.issues.desks import open_issue
from forge.work.issues.saving import save
from forge.work.issues.views import IssueRow, row_of
from forge.work.people.names import keys_of
from forge.work.runs.announcements import RUN_STARTED
from functions.issues.models.claiming import (
    Claim,
    ClaimedIssue,
    ClaimIssue,
    QueueIssue,
    ReleaseIssue,
    SetQueued,
)
from functions.issues.repository import claiming as repository
from functions.issues.rules import claiming
from functions.issues.tools import namespace


@namespace.tool(
    scopes=[Scope.WRITE_ISSUES],
    effect=Effect.MUTATING,
    modes=EXECUTE_ONLY,
    idempotent=True,
    costs=Cost(reads=4, writes=1, items=18),
    emits=[ISSUE_QUEUED, AGENT_DISPATCHED, TEMPLATE_APPLIED, RUN_STARTED],
    asks=[
        "offer it to whoever is free",
        "let anybody take it",
        "ready to be worked on",
        "available to any agent",
    ],
)
def queue(request: QueueIssue, ctx: Context) -> IssueRow:
    """Put an issue into the queue, where somebody or auto-dispatch takes it; one that is there stays.

    With auto-dispatch an agent that has room gets it at once (`dispatchReason` of issues.get says why that
    one); if none has, it waits, and goes to the first that does.
    issues.list {"queued": true} shows the queue, issues.setQueued takes an issue out of it.
    Example: {"id": "DEMO-1"}
    """
    return _set_queued(ctx, request.id, is_queued=True)


@namespace.tool(
    scopes=[Scope.WRITE_ISSUES],
    effect=Effect.MUTATING,
    modes=EXECUTE_ONLY,
    idempotent=True,
    name="setQueued",
    costs=Cost(reads=4, writes=1, items=18),
    emits=[ISSUE_QUEUED, ISSUE_UNQUEUED, AGENT_DISPATCHED, TEMPLATE_APPLIED, RUN_STARTED],
    asks=[
        "take out of the queue",
        "withdraw it from the queue",
        "nobody should take it any more",
        "stop queueing it",
    ],
)
def set_queued(request: SetQueued, ctx: Context) -> IssueRow:
    """Put an issue into the queue or take it out; a claim on it stays.

    Example: {"id": "DEMO-1", "queued": false}
    """
    return _set_queued(ctx, request.id, is_queued=request.queued)


@namespace.tool(
    scopes=[Scope.WRITE_ISSUES],
    effect=Effect.MUTATING,
    modes=EXECUTE_ONLY,
    costs=Cost(reads=6, writes=1, items=12),
    emits=[ISSUE_CLAIMED, RUN_STARTED],
    asks=[
        "what should I do next",
        "pick up work",
        "take the next task",
        "lock it for me",
        "something to work on",
        "get something to do from the queue",
    ],
)
def claim(request: ClaimIssue, ctx: Context) -> Claim:
    """Make an issue yours for a while: by id, or without one the best that waits in the queue.

    Never one that is blocked, closed, claimed, or another agent's: then `claimed` is null. Whatever you write
    to the issue keeps the claim; issues.release gives it back.
    Example: {"include": "bundle"}
    """
    if request.include:
        require_scopes(ctx.caller, (Scope.READ_ISSUES,), "agent.context.bundle")
    if request.issue_id is None:
        desk = repository.open_first_free(ctx, repository.waiting(ctx))
        if desk is None:
            return Claim(claimed=None, reason=repository.why_nothing(ctx))
    else:
        desk = open_issue(ctx, request.issue_id)
        if reason := claiming.reason_against(desk.issue, ctx.caller, ctx.now()):
            return Claim(claimed=None, reason=reason)
    whole = repository.read_whole_again(ctx, desk) if request.include else None
    desk = whole.desk if whole else desk
    change = begin_change(desk, keys_of(desk.issue))
    claiming.claim(change, minutes=request.claim_ttl_minutes)
    saved = save(ctx.plan(), change)
    if whole is None:
        return Claim(claimed=row_of(saved, desk.names))
    named = ClaimedIssue.of(saved, identifier=desk.names.identifier(saved.number))
    return Claim(claimed=named, bundle=bundle_of(whole, saved))


@namespace.tool(
    scopes=[Scope.WRITE_ISSUES],
    effect=Effect.MUTATING,
    modes=EXECUTE_ONLY,
    idempotent=True,
    costs=Cost(reads=2, writes=1, items=10),
    emits=[ISSUE_RELEASED, RUN_STARTED],
    asks=["give up an issue", "drop a task", "stop working on it", "return it to the others", "end my claim"],
)
def release(request: ReleaseIssue, ctx: Context) -> IssueRow:
    """Give a claim back, so that others can take the issue; an issue that nobody claimed stays as it is.

    An agent gives back only its own claims. Example: {"id": "DEMO-1"}
    """
    desk = open_issue(ctx, request.id)
    change = begin_change(desk, keys_of(desk.issue))
    if desk.issue.claimant_id is None:
        return row_of(desk.issue, desk.names)
    claiming.require_release(desk.issue, ctx.caller, ctx.now())
    claiming.release(change)
    return row_of(save(ctx.plan(), change), desk.names)


def _set_queued(ctx: Context, given: str, *, is_queued: bool) -> IssueRow:
    desk = open_issue(ctx, given)
    change = begin_change(desk, keys_of(desk.issue))
    if desk.issue.queued is not is_queued:
        claiming.set_queued(change, is_queued=is_queued)
    dispatching.offer(change)
    if not change.announced:
        return row_of(desk.issue, desk.names)
    return row_of(save(ctx.plan(), change), desk.names)
