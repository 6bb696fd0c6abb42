"""The agent's tools."""

from forge.context import Context
from forge.contract.effects import RUNS, Cost
from forge.contract.models import Page
from forge.contract.terms import Actor
from forge.contract.tools import Namespace
from forge.errors import Conflict, InvalidInput
from forge.store.cursors import Cursors
from forge.store.followers import follow
from forge.store.pages import page_among
from forge.work.issues.inbox.reading import MOST, read, show
from forge.work.issues.inbox.views import InboxRow, row_of
from forge.work.issues.pages.listing import Pager
from forge.work.overviews.bundles.bundles import bundle_of, read_for_bundle
from forge.work.overviews.bundles.views import ContextBundle
from forge.work.plans.requests.announcements import REQUEST
from forge.work.record.log.events import record_change
from functions.agent import repository
from functions.agent.models import Acknowledge, Answer, BundleContext, ReadInbox
from functions.agent.repository import ThreadBundle, thread_bundle

MORE = f"Only {MOST} things were looked at: settle some, and the rest will show."

namespace = Namespace("agent", "Learn all that you need for your work in one call.")


@namespace.reads(
    actor=Actor.AGENT,
    costs=Cost(reads=3).up_to(reads=4, because=RUNS),
    asks=[
        "what waits for me",
        "what is pending or waiting for my attention",
        "what is there for me to do next",
        "did somebody ask something of me",
        "is there anything new for me",
        "who called me while I was away",
        "which steps shall I judge and which goals plan",
        "my inbox",
    ],
)
def inbox(request: ReadInbox, ctx: Context) -> Page[InboxRow]:
    """List what waits for you, oldest first, each with the call that takes it up.

    Runs, steps to judge, goals to plan, mentions, chat, answers. Example: {}
    """
    pager = Pager(Page[InboxRow])
    found = read(ctx)
    cursors = Cursors(ctx.caller.workspace_id, str(ctx.caller.agent_id), "inbox")
    page = page_among(found.entries, lambda one: one.place, request, cursors=cursors)
    reach = show(ctx, found, page.items)
    rows = page.become(lambda one: row_of(ctx, one, reach))
    return pager.page(rows.cut_short(MORE) if found.is_cut else rows, lambda row: row)


@namespace.writes(
    actor=Actor.AGENT,
    idempotent=True,
    name="inbox.ack",
    costs=Cost(reads=1, writes=1, items=4).up_to(reads=2, because="a narrowed key looks at the issue"),
    asks=[
        "I have read the answer",
        "acknowledge what was decided",
        "take note of a decision",
        "what was decided about my request",
        "clear an answer from the inbox",
    ],
)
def inbox_ack(request: Acknowledge, ctx: Context) -> Answer:
    """Read what was decided about a request of yours, and have it leave your agent.inbox.

    One that nobody decided yet is a conflict. Example: {"requestId": "ar_01J…"}
    """
    asked, texts = repository.open_answer(ctx, request.request_id)
    if asked.is_waiting:
        raise Conflict(
            f"This request is {asked.status}: nobody has decided it yet.",
            hint="agent.inbox lists the answer once there is one.",
        )
    if asked.answer_waits:
        tx, noted = ctx.plan(), asked.changed(answer_waits=False)
        tx.replace(noted)
        follow(tx, asked.awaited, noted.awaited)
        record_change(
            tx, REQUEST, asked.id, action="acknowledge", before=asked, after=noted, issue_id=asked.issue_id
        )
    return Answer.of(asked, resolution=texts.resolution)


@namespace.reads(
    name="context.bundle",
    costs=Cost(reads=3),
    asks=[
        "everything about an issue at once",
        "context to start work",
        "prepare me for the work",
        "what must I know to begin",
        "briefing",
        "all information about an issue",
    ],
)
def context_bundle(request: BundleContext, ctx: Context) -> ContextBundle | ThreadBundle:
    """Return all you need to work on an issue: its texts, newest 50 comments, relations, run and artifacts.

    completionContract is what runs.complete will ask for; runProtocol says what your mode allows and which
    calls to make. What was cut says so.
    Example: {"issueId": "DEMO-1"}
    """
    if (request.issue_id is None) is (request.thread_id is None):
        wrong = "Give issueId or threadId, and only one of them."
        raise InvalidInput("Say what the work is about.", issues={"issueId": wrong, "threadId": wrong})
    if request.thread_id is not None:
        return thread_bundle(ctx, request.thread_id)
    whole = read_for_bundle(ctx, str(request.issue_id), run_id=request.run_id)
    return bundle_of(whole, whole.desk.issue, run_id=request.run_id)
