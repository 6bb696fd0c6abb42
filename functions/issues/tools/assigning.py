"""Giving issues to agents."""

from forge.context import Context
from forge.contract.effects import CALLS, Cost
from forge.contract.terms import EXECUTE_ONLY
from forge.work.content.comments import comments
from forge.work.issues import assignments
from forge.work.issues.announcements import AGENT_ASSIGNED, AGENT_TOOK_OVER, TEMPLATE_APPLIED
from forge.work.issues.runs.announcements import RUN_ENDED, RUN_STARTED
from forge.work.issues.saving import save
from forge.work.issues.views import IssueRow, row_of
from functions.issues.models.assigning import AssignIssue, Handoff, ReassignIssue
from functions.issues.repository import assigning as repository
from functions.issues.rules import assigning
from functions.issues.tools import namespace


@namespace.writes(
    modes=EXECUTE_ONLY,
    idempotent=True,
    costs=Cost(reads=2, writes=1, items=17).up_to(items=22, because=CALLS),
    emits=[AGENT_ASSIGNED, TEMPLATE_APPLIED, RUN_STARTED, RUN_ENDED],
    asks=[
        "let an agent do it",
        "who shall work on it",
        "put an agent on it",
        "give it to an agent",
        "take it away from an agent",
    ],
)
def assign(request: AssignIssue, ctx: Context) -> IssueRow:
    """Give an issue to an agent, or take it back with agentId null; the agent is woken in its mode.

    Runs of the agent that had it end. Giving it to the same agent again changes nothing, unless a mode is
    named and the agent has no live run. To hand over your own work with a reason use issues.reassign.
    Example: {"issueId": "DEMO-1", "profileKey": "worker", "mode": "EXECUTE"}
    """
    name, agent_id = request.profile_key, request.agent_id
    # Some clients send null for whatever they leave out.
    is_given = "agent_id" in request.model_fields_set and not (name is not None and agent_id is None)
    assigning.require_one_way(
        is_named=name is not None, is_given=is_given, agent_id=agent_id, has_mode=request.mode is not None
    )
    agent = None
    if name is not None:
        change, agent = repository.open_for_named(ctx, request.issue_id, name, field="profileKey")
    elif agent_id is not None:
        change, agent = repository.open_for_agent(ctx, request.issue_id, agent_id)
    else:
        change = repository.open_for_nobody(ctx, request.issue_id)
    desk = change.desk
    if not assigning.is_news(desk.issue, agent, request.mode):
        return row_of(desk.issue, desk.names)
    if agent is None:
        assignments.take_back(change)
    else:
        assignments.assign(change, agent, mode=request.mode)
    return row_of(save(ctx.plan(), change), desk.names)


@namespace.writes(
    modes=EXECUTE_ONLY,
    costs=Cost(reads=2, writes=1, items=19).up_to(items=24, because=CALLS),
    emits=[AGENT_TOOK_OVER, TEMPLATE_APPLIED, RUN_STARTED, RUN_ENDED],
    asks=[
        "hand it to someone else",
        "pass it on",
        "another agent should go on",
        "hand off with a reason",
        "someone else takes over my issue",
    ],
)
def reassign(request: ReassignIssue, ctx: Context) -> Handoff:
    """Hand an issue over to another agent with a reason: comment, assignment and wake in one step.

    Archived agents and the agent that has the issue already are refused.
    Example: {"issueId": "DEMO-1", "toProfileKey": "reviewer", "rationale": "Implemented; needs a review."}
    """
    change, agent = repository.open_for_named(
        ctx, request.issue_id, request.to_profile_key, field="toProfileKey"
    )
    desk = change.desk
    assigning.require_another(desk.issue, agent)
    previous = desk.names.agent(desk.issue.assigned_agent_id)
    comment = comments.written(ctx, desk.issue, assigning.handoff_text(agent, request.rationale))
    assignments.hand_over(change, agent, rationale=request.rationale, comment_id=comment.id)
    tx = ctx.plan()
    comments.add(tx, comment)
    save(tx, change)
    came_from = previous.profile_key if previous else None
    return Handoff(issue_id=desk.issue.id, from_=came_from, to=agent.profile_key, comment_id=comment.id)
