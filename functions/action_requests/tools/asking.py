"""Asking for a decision, and looking at what was asked."""

from forge.context import Context
from forge.contract.effects import CALLS, FILTERED, KEPT_UP, Cost
from forge.contract.guards import Decider, Guarded, decided_by, settles_nothing
from forge.work.content.comments.announcements import COMMENT_POSTED
from forge.work.issues.changes import begin_change
from forge.work.issues.pages.listing import Pager
from forge.work.issues.runs.announcements import RUN_STARTED
from forge.work.issues.saving import save
from forge.work.overviews.tasks import awaiting
from forge.work.plans.requests import asking, deciding, raising
from forge.work.plans.requests.announcements import REQUEST_RAISED, REQUEST_SETTLED
from forge.work.plans.requests.raising import Raised
from forge.work.record import links
from functions.action_requests import answering, repository
from functions.action_requests.models import (
    CreatedRequest,
    CreateRequest,
    ListRequests,
    Requests,
    Transitioned,
    TransitionRequest,
)
from functions.action_requests.opening import open_request
from functions.action_requests.tools import namespace


@namespace.writes(
    for_runs=True,
    costs=Cost(reads=2, writes=1, items=9).up_to(items=12, because=KEPT_UP),
    emits=[REQUEST_RAISED, RUN_STARTED],
    guards=(settles_nothing("it only asks", Guarded.REQUEST),),
    app="ui://forge/decision",
    asks=[
        "I need a decision",
        "get an approval before I go on",
        "recommend or propose a change",
        "start a vote among people",
        "I am blocked until somebody decides",
        "which option shall I take",
    ],
)
def create(request: CreateRequest, ctx: Context) -> CreatedRequest:
    """Ask a person to decide: a question, a poll (`options`), or a change that a yes makes (kind, payload).

    The answer is a comment that calls you; without an issue it is in agent.inbox.
    Example: {"title": "Which schema?", "issueId": "DEMO-1"}
    """
    if request.issue_id is None:
        asking.require_issue_for(request.kind)
    one, desk = repository.raised(ctx, request, raising.look_up(ctx, request))
    if desk is None:
        raising.add_alone(ctx.plan(), one)
        return _created(ctx, request, one)
    change = begin_change(desk)
    raising.announce(change, one)
    tx = ctx.plan()
    raising.add(tx, one)
    save(tx, change)
    return _created(ctx, request, one)


@namespace.reads(
    costs=Cost(reads=3).up_to(reads=10, because=FILTERED),
    asks=[
        "what waits for my decision",
        "open questions of agents to me",
        "was my request answered",
        "pending approvals",
    ],
)
def list(request: ListRequests, ctx: Context) -> Requests:
    """List action requests, the newest first: of everybody, an agent, a person, an issue, or just one by id.

    Texts are cut at 400 characters; {"include": ["card"]} gives whole ones, who asks, what accepting does
    (`effect`), what happened `since`, and with an id the steps of a plan to approve. Pass nextCursor as
    cursor for more.
    Example: {"status": "OPEN", "limit": 20}
    """
    pager = Pager(Requests, request.fields)
    found, row = repository.read_list(ctx, request)
    return pager.page(found, row)


@namespace.writes(
    idempotent=True,
    ungated="What is settled is the question, and its answer is a comment.",
    costs=Cost(reads=3, writes=1, items=45).up_to(reads=4, items=61, because=CALLS),
    emits=[REQUEST_SETTLED, COMMENT_POSTED, RUN_STARTED],
    guards=(decided_by(Decider.ASKED_OR_ASKER, Guarded.REQUEST),),
    asks=[
        "snooze a question",
        "withdraw a request that is not needed",
        "dismiss a card",
        "open a request again",
    ],
)
def transition(request: TransitionRequest, ctx: Context) -> Transitioned:
    """Settle an action request without doing what it asks for, put it off, or open it again.

    RESOLVED, REJECTED and DISMISSED are for who may decide it; who asked may withdraw it (DISMISSED). SNOOZED
    is for whom it is, and open again at `until`. An agent that asked is told as by actionRequests.accept,
    which does what it asks for. Example: {"id": "ar_01J…", "status": "DISMISSED"}
    """
    resolution, now = request.resolution or None, ctx.now()
    opened = open_request(ctx, request.id, first=answering.names_of(ctx.caller.workspace_id, resolution))
    before = opened.request
    deciding.require_may_move(ctx.caller, before, request.status, is_watching=opened.is_watching)
    until = deciding.snoozed_until(request.until, request.status, now)
    after = deciding.settled(before, request.status, resolution=resolution, caller=ctx.caller, now=now)
    after = after.changed(snoozed_until=until)
    is_same = before.status is after.status and request.until in (None, before.snoozed_until)
    if is_same and opened.texts.resolution == resolution:
        return Transitioned()
    said = deciding.settled_by(opened.member, request.status, resolution)
    repository.settle(ctx.plan(), opened, after, resolution=resolution, said=said, note=resolution)
    return Transitioned()


def _created(ctx: Context, request: CreateRequest, one: Raised) -> CreatedRequest:
    waits = awaiting.waits_for_request(ctx, one.request, is_wanted=request.wait)
    return CreatedRequest(id=one.request.id, url=links.request_url(ctx, one.request.id), waits=waits)
