"""Queueing issues, and taking them."""

from functools import cache, partial
from typing import NamedTuple

from forge.auth.entrance import require_scopes
from forge.context import Context
from forge.contract.effects import CALLS, KEPT_UP, Cost
from forge.contract.terms import EXECUTE_ONLY, Scope
from forge.work.issues.announcements import (
    AGENT_DISPATCHED,
    ISSUE_CLAIMED,
    ISSUE_QUEUED,
    ISSUE_RELEASED,
    ISSUE_UNQUEUED,
    TEMPLATE_APPLIED,
)
from forge.work.issues.auto_dispatch import handovers
from forge.work.issues.changes import begin_change
from forge.work.issues.claims import holds, sleepers
from forge.work.issues.claims.sleepers import SleeperItem
from forge.work.issues.desks import Desk, open_issue
from forge.work.issues.issues import IssueItem
from forge.work.issues.runs.announcements import RUN_ENDED, RUN_STARTED
from forge.work.issues.runs.runs import RunItem
from forge.work.issues.saving import save
from forge.work.issues.views import IssueRow, agent_of, row_of, user_of
from forge.work.overviews.bundles.bundles import bundle_of
from forge.work.overviews.whole import WholeIssue
from forge.work.workspace.people import runtimes
from forge.work.workspace.people.names import keys_of
from forge.work.workspace.people.runtimes import RuntimeItem
from functions.issues.models.claiming import (
    Claim,
    ClaimedIssue,
    ClaimIssue,
    HeldBy,
    HeldClaim,
    NamedIssue,
    SetQueued,
    Unclaimed,
)
from functions.issues.repository import claiming as repository
from functions.issues.repository import sleeping
from functions.issues.repository.claiming import Own
from functions.issues.rules import claiming
from functions.issues.tools import namespace


@namespace.writes(
    modes=EXECUTE_ONLY,
    idempotent=True,
    costs=Cost(reads=4, writes=1, items=18).up_to(items=19, because=CALLS),
    emits=[ISSUE_QUEUED, AGENT_DISPATCHED, TEMPLATE_APPLIED, RUN_STARTED],
    asks=[
        "offer it to whoever is free",
        "let anybody take it",
        "ready to be worked on",
        "available to any agent",
    ],
)
def queue(request: NamedIssue, ctx: Context) -> IssueRow:
    """Put an issue into the queue, where somebody or auto-dispatch takes it; one that is there stays.

    With auto-dispatch an agent that has room gets it at once (`dispatchReason` of issues.get says why that
    one); if none has, it waits, and goes to the first that does.
    issues.list {"queued": true} shows the queue, issues.setQueued takes an issue out of it.
    Example: {"id": "DEMO-1"}
    """
    return _set_queued(ctx, request.id, is_queued=True)


@namespace.writes(
    modes=EXECUTE_ONLY,
    idempotent=True,
    name="setQueued",
    costs=Cost(reads=4, writes=1, items=18).up_to(items=19, because=CALLS),
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


@namespace.writes(
    modes=EXECUTE_ONLY,
    costs=Cost(reads=4, writes=1, items=14).up_to(reads=7, items=19, because="what else is held is read"),
    emits=[ISSUE_CLAIMED, RUN_STARTED, RUN_ENDED],
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
    """Take an issue and begin its run: by id, else the best of the queue.

    Never one that is blocked, closed, claimed, or another agent's: then `claimed` is null. Writing to it
    keeps it; issues.release ends that. `youHold` is what you left.
    Example: {"include": "bundle"}
    """
    if request.include:
        require_scopes(ctx.caller, (Scope.READ_ISSUES,), "agent.context.bundle")
    sleeper = sleeping.find_sleeper(ctx)
    if sleeper is not None and not (sleeper.is_asleep(ctx.now()) and request.wait_seconds):
        return _over(request, ctx, sleeper)
    own, desk = _found(request, ctx)
    if desk is None:
        return _asleep(request, ctx, own, sleeper)
    if request.issue_id is not None and (
        reason := claiming.reason_against(desk.issue, ctx.caller, ctx.now())
    ):
        return _refused(ctx, own, reason, desk.issue)
    whole = repository.read_whole_again(ctx, desk) if request.include else None
    desk = whole.desk if whole else desk
    is_resumed = desk.issue.is_claimed_by(ctx.caller) and desk.issue.is_claimed(ctx.now())
    also = [*keys_of(desk.issue), *claiming.runs_of_claim(desk.issue)]
    connected = runtimes.of_session(ctx.caller)
    change = begin_change(desk, [*also, *connected], takes_over=True)
    runtime = desk.find(RuntimeItem, connected[0]) if connected else None
    claiming.claim(change, minutes=request.claim_ttl_minutes, runtime_id=runtime.id if runtime else None)
    tx = ctx.plan()
    saved = save(tx, change)
    if sleeper is not None:
        sleepers.save(tx, sleeper, sleeper.claimed(saved.id, ctx.now()))
    begun = next((one for one in change.begun if one.id == saved.current_run_id), None)
    return _shown(Taken(own, desk, saved, whole, begun), ctx, is_resumed=is_resumed)


@namespace.writes(
    modes=EXECUTE_ONLY,
    idempotent=True,
    costs=Cost(reads=2, writes=1, items=10).up_to(items=14, because=KEPT_UP),
    emits=[ISSUE_RELEASED, RUN_STARTED, RUN_ENDED],
    asks=["give up an issue", "drop a task", "stop working on it", "return it to the others", "end my claim"],
)
def release(request: NamedIssue, ctx: Context) -> IssueRow:
    """Give a claim back, so that others can take the issue; an issue that nobody claimed stays as it is.

    An agent gives back only its own claims. Example: {"id": "DEMO-1"}
    """
    desk = open_issue(ctx, request.id)
    change = begin_change(desk, [*keys_of(desk.issue), *claiming.runs_of_claim(desk.issue)])
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
    handovers.offer(change)
    if not change.announced:
        return row_of(desk.issue, desk.names)
    return row_of(save(ctx.plan(), change), desk.names)


class Taken(NamedTuple):
    """What a claim shows: the issue as it became, and where it was asked for all about it."""

    own: Own
    desk: Desk
    saved: IssueItem
    whole: WholeIssue | None
    begun: RunItem | None = None


def _found(request: ClaimIssue, ctx: Context) -> tuple[Own, Desk | None]:
    """The issue to claim: the named one, else unfinished work, else the best free one, also after a wait."""
    place = cache(partial(repository.place_in_line, ctx))
    while True:
        own = repository.read_own(ctx, request.holding)
        if request.issue_id is not None:
            return own, repository.open_named(ctx, request.issue_id, own)
        desk = repository.open_unfinished(ctx, own, resume=request.resume)
        desk = desk or repository.open_first_free(ctx, repository.waiting(ctx, own, place()), own)
        if desk is not None or not sleeping.is_patient(ctx, request):
            return own, desk


def _asleep(request: ClaimIssue, ctx: Context, own: Own, sleeper: SleeperItem | None) -> Claim:
    """Nothing is free: it is slept until there is, or said why."""
    if sleeper is not None:
        sleeping.sleep_on(ctx, sleeper)
        return Claim(claimed=None, waits=sleeping.waits_of(sleeper))
    if sleeping.falls_asleep(ctx, request):
        return Claim(claimed=None, waits=sleeping.sleep_until_free(ctx, request))
    return _nothing(ctx, own)


def _over(request: ClaimIssue, ctx: Context, sleeper: SleeperItem) -> Claim:
    """What came of a sleeping claim; one that still sleeps is withdrawn."""
    own = repository.read_own(ctx, request.holding)
    if sleeper.is_asleep(ctx.now()):
        sleeping.withdraw(ctx, sleeper)
    if sleeper.issue_id is None:
        return _nothing(ctx, own)
    desk = repository.open_named(ctx, sleeper.issue_id, own)
    issue = desk.issue
    if not (issue.is_claimed_by(ctx.caller) and issue.is_claimed(ctx.now())):
        reason = claiming.reason_against(issue, ctx.caller, ctx.now()) or Unclaimed.NOTHING_QUEUED
        return _refused(ctx, own, reason, issue)
    whole = repository.read_whole_again(ctx, desk) if request.include else None
    desk.fetch(keys_of(issue))
    return _shown(Taken(own, desk, issue, whole), ctx, is_resumed=True)


def _shown(taken: Taken, ctx: Context, *, is_resumed: bool) -> Claim:
    saved, names = taken.saved, taken.desk.names
    live = saved.run_at_work_of(ctx.caller.agent_id)
    more = {
        "resumed": is_resumed or None,
        "run_id": live.run_id if live else None,
        "you_hold": _held_views(taken.own, but=saved.id),
    }
    if taken.whole is None:
        return Claim(claimed=row_of(saved, names), **more)
    named = ClaimedIssue.of(saved, identifier=names.identifier(saved.number))
    return Claim(claimed=named, bundle=bundle_of(taken.whole, saved, run=taken.begun), **more)


def _nothing(ctx: Context, own: Own) -> Claim:
    if own.held():
        return _refused(ctx, own, Unclaimed.YOU_HOLD, None)
    return _refused(ctx, own, *repository.why_nothing(ctx, own))


def _refused(ctx: Context, own: Own, reason: Unclaimed, issue: IssueItem | None) -> Claim:
    held_by = None
    hold = holds.hold_against(issue, ctx.caller, ctx.now()) if issue and issue.is_open else None
    if issue and hold:
        own.readings.fetch(hold.keys(issue.workspace_id))
        names = own.names
        held_by = HeldBy(
            by=hold.by,
            identifier=names.identifier(issue.number),
            agent=agent_of(hold.agent_id, names),
            user=user_of(hold.user_id, names) if hold.user_id else None,
            until=hold.until,
            blocked_by=[names.identifier(number) for number in hold.blockers],
        )
    but = issue.id if issue else None
    return Claim(claimed=None, reason=reason, held_by=held_by, you_hold=_held_views(own, but=but))


def _held_views(own: Own, *, but: str | None) -> list[HeldClaim]:
    return [
        HeldClaim(
            identifier=own.names.identifier(one.issue.number),
            run_id=one.run.id if one.run else None,
            since=one.since,
            last_sign_at=one.last_sign_at,
        )
        for one in own.held(but=but)
    ]
