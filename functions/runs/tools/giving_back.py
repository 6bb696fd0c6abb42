"""Giving work back."""

from forge.context import Context
from forge.contract.effects import KEPT_UP, Cost
from forge.contract.guards import Guarded, settles_nothing
from forge.contract.terms import Actor
from forge.work.content.comments import comments
from forge.work.issues import assignments
from forge.work.issues.announcements import AGENT_ASSIGNED, ISSUE_QUEUED, ISSUE_RELEASED
from forge.work.issues.changes import begin_change
from forge.work.issues.runs import runs
from forge.work.issues.runs.announcements import RUN_ENDED, RUN_STARTED
from forge.work.issues.saving import save
from forge.work.plans.requests import raising
from forge.work.plans.requests.announcements import REQUEST_RAISED
from functions.runs.models.giving_back import GiveBack, GivenBack
from functions.runs.repository import reporting as repository
from functions.runs.rules import giving_back as rules
from functions.runs.tools import namespace


@namespace.writes(
    ungated="Whoever can't go on says so, in every mode.",
    actor=Actor.AGENT,
    name="giveBack",
    costs=Cost(reads=3, writes=1, items=17).up_to(items=30, because=KEPT_UP),
    emits=[RUN_ENDED, ISSUE_RELEASED, ISSUE_QUEUED, AGENT_ASSIGNED, REQUEST_RAISED, RUN_STARTED],
    guards=(settles_nothing("it only asks", Guarded.REQUEST),),
    asks=["I can't do this here", "somebody else should try", "return unfinished work with a reason"],
)
def give_back(request: GiveBack, ctx: Context) -> GivenBack:
    """End your run without a result, and put its issue back into the queue, with the reason as a comment.

    Your claim ends; what auto-dispatch gave you is nobody's, what a person gave you stays yours. The third
    time in a row people are asked instead. Example: {"runId": "run_01J…", "reason": "No network here."}
    """
    run, desk = repository.open_own(ctx, request.run_id)
    runs.require_live(run)
    comment = comments.written(ctx, desk.issue, f"Given back: {request.reason}")
    change = begin_change(desk, assignments.needs(desk.issue, None))
    asks = rules.give_back(change, run, request.reason, after_minutes=request.after_minutes)
    tx, asked = ctx.plan(), None
    comments.add(tx, comment)
    if asks:
        question = rules.question(desk.names.identifier(desk.issue.number), request.reason)
        wanted = raising.look_up(ctx, question)
        asked = raising.raised(ctx, wanted, desk, source=("comment", comment.id))
        raising.announce(change, asked)
        raising.add(tx, asked)
    issue = save(tx, change)
    return GivenBack.of(
        change.ended[0],
        comment_id=comment.id,
        queued=issue.queued,
        queued_from=issue.queued_from,
        request_id=asked.request.id if asked else None,
    )
