"""A yes or a no to what was asked."""

from forge.context import Context
from forge.contract.effects import CALLS, Cost
from forge.contract.guards import Decider, Guarded, decided_by
from forge.contract.terms import EXECUTE_ONLY, Actor
from forge.work.content.comments.announcements import COMMENT_POSTED
from forge.work.issues.announcements import (
    AGENT_ASSIGNED,
    ISSUE_ARCHIVED,
    ISSUE_LABELLED,
    ISSUE_MOVED,
    ISSUE_RELATED,
    PEOPLE_ASSIGNED,
    TEMPLATE_APPLIED,
)
from forge.work.issues.changes import begin_change
from forge.work.issues.runs.announcements import RUN_ENDED, RUN_STARTED
from forge.work.issues.saving import save
from forge.work.pipelines.announcements import PIPELINE_MOVED
from forge.work.plans.announcements import GOAL_MOVED, PLAN_MOVED, STEP_READY
from forge.work.plans.approvals import approvals
from forge.work.plans.requests import deciding, requests
from forge.work.plans.requests.announcements import REQUEST_SETTLED
from forge.work.plans.requests.requests import RequestItem, RequestKind, RequestStatus
from forge.work.plans.saving import save as save_plan
from forge.work.plans.saving import settled
from functions.action_requests import answering, effects, pipeline_answers, repository
from functions.action_requests.models import Accepted, AcceptRequest, Declined, DeclineRequest
from functions.action_requests.opening import Opened, open_request, source_state
from functions.action_requests.tools import namespace


@namespace.writes(
    actor=Actor.USER,
    modes=EXECUTE_ONLY,
    costs=Cost(reads=5, writes=1, items=45).up_to(reads=6, items=99, because="it may begin a whole plan"),
    emits=[
        REQUEST_SETTLED,
        ISSUE_MOVED,
        ISSUE_LABELLED,
        PEOPLE_ASSIGNED,
        AGENT_ASSIGNED,
        TEMPLATE_APPLIED,
        ISSUE_ARCHIVED,
        ISSUE_RELATED,
        COMMENT_POSTED,
        RUN_STARTED,
        RUN_ENDED,
        PIPELINE_MOVED,
        PLAN_MOVED,
        GOAL_MOVED,
        STEP_READY,
    ],
    guards=(decided_by(Decider.ASKED, Guarded.REQUEST, Guarded.PLAN, Guarded.STEP, Guarded.PIPELINE),),
    asks=["say yes to a proposal", "approve a request", "answer an agent's question", "go ahead with it"],
)
def accept(request: AcceptRequest, ctx: Context) -> Accepted:
    """Accept an action request, for people: the change it names happens in the same moment.

    For its assignee, people who watch the issue, and admins. An agent that asked is told by a comment that
    wakes it and ends its waiting, without an issue in its agent.inbox; `resolution` is your answer to it.
    With shownHash, a request that changed since is refused.
    Example: {"id": "ar_01J…", "resolution": "Yes, before Friday."}
    """
    note = (request.resolution or "").strip() or None
    names = answering.names_of(ctx.caller.workspace_id, note)
    opened = open_request(ctx, request.id, first=names)
    deciding.require_may_decide(ctx.caller, opened.request, is_watching=opened.is_watching)
    deciding.require_open(opened.request)
    deciding.require_shown(opened.request, opened.texts, given=request.shown_hash, state=source_state(opened))
    return _accept(ctx, opened, note)


@namespace.writes(
    actor=Actor.USER,
    costs=Cost(reads=3, writes=1, items=45).up_to(reads=4, items=61, because=CALLS),
    emits=[REQUEST_SETTLED, PIPELINE_MOVED, COMMENT_POSTED, RUN_STARTED],
    guards=(decided_by(Decider.ASKED, Guarded.REQUEST, Guarded.PIPELINE),),
    asks=["say no to a proposal", "reject or refuse a request", "turn down what an agent wants"],
)
def decline(request: DeclineRequest, ctx: Context) -> Declined:
    """Decline an action request, for people: nothing is done to the issue, and an agent that asked hears why.

    For its assignee, people who watch the issue, and admins.
    Example: {"id": "ar_01J…", "reason": "Too risky."}
    """
    reason = (request.reason or "").strip() or None
    opened = open_request(ctx, request.id, first=answering.names_of(ctx.caller.workspace_id, reason))
    deciding.require_may_decide(ctx.caller, opened.request, is_watching=opened.is_watching)
    deciding.require_open(opened.request)
    _decline(ctx, opened, reason)
    return Declined(id=opened.request.id)


def _accept(ctx: Context, opened: Opened, note: str | None) -> Accepted:
    request, resolution = opened.request, deciding.accepted_by(opened.member, note)
    after = _decided(ctx, request, RequestStatus.RESOLVED, resolution)
    plan = approvals.plan_in(opened.readings, request)
    is_of_pipeline = pipeline_answers.waiting_for(opened.readings, request) is not None
    is_dispatched = request.kind is not RequestKind.FREE_FORM or plan is not None or is_of_pipeline
    told = deciding.told_of(request, after, dispatched=is_dispatched)
    if request.issue_id is None:
        tx = ctx.plan()
        after = after.changed(answer_waits=answering.is_left(opened, None, None))
        requests.save(tx, request, after, opened.texts, resolution=resolution)
        repository.record_alone(tx, request, after, told)
        pipeline_answers.settle(ctx, tx, request, opened.readings, is_yes=True, words=note)
        activated = approvals.activation(ctx, request, opened.readings, issue=None)
        if activated:
            save_plan(tx, settled(activated))
        return Accepted(id=request.id, dispatched=is_dispatched)
    needed, answer = effects.needs(opened), answering.answer_of(opened, after.status, resolution, note)
    wanted = [*needed.keys, *(answering.needs(opened, answer) if answer else ())]
    change = begin_change(opened.issue_desk, wanted, issue_ids=needed.issue_ids)
    following = effects.apply(change, request, needed)
    comment = answering.say(change, answer) if answer else None
    after = after.changed(answer_waits=answering.is_left(opened, change, answer))
    repository.announce(change, request, after, told)
    activated = approvals.activation(ctx, request, opened.readings, issue=change)
    tx = ctx.plan()
    requests.save(tx, request, after, opened.texts, resolution=resolution)
    effects.write(tx, change, following)
    if answer and comment:
        answering.write(tx, comment, answer)
    # Saving the plan saves its issue along.
    save_plan(tx, settled(activated)) if activated else save(tx, change)
    return Accepted(id=request.id, dispatched=is_dispatched, comment_id=comment.id if comment else None)


def _decline(ctx: Context, opened: Opened, reason: str | None) -> None:
    request, resolution = opened.request, deciding.settled_by(opened.member, "declined", reason)
    after = _decided(ctx, request, RequestStatus.REJECTED, resolution)
    tx = ctx.plan()
    repository.settle(tx, opened, after, resolution=resolution, said=resolution, note=reason)
    pipeline_answers.settle(ctx, tx, request, opened.readings, is_yes=False, words=reason)


def _decided(ctx: Context, request: RequestItem, status: RequestStatus, resolution: str) -> RequestItem:
    return deciding.settled(request, status, resolution=resolution, caller=ctx.caller, now=ctx.now())
