"""Giving issues to agents."""

from forge.context import Context
from forge.contract.terms import EXECUTE_ONLY, Effect, Scope
from forge.contract.tools import Namespace
from forge.work import assignments
from forge.work.changes import IssueChange
from forge.work.issue_views import IssueRow, row_of
from functions.issues.models.assigning import AssignIssue, Handoff, ReassignIssue
from functions.issues.rules import handing

namespace = Namespace("issues", "Give issues to agents.")


@namespace.tool(scopes=[Scope.WRITE_ISSUES], effect=Effect.MUTATING, modes=EXECUTE_ONLY, idempotent=True)
def assign(request: AssignIssue, ctx: Context) -> IssueRow:
    """Give an issue to an agent, or take it back with agentId null; the agent is woken in its mode.

    Runs of the agent that had it end. Giving it to the same agent again changes nothing, unless a mode is
    named and the agent has no live run. To hand over your own work with a reason use issues.reassign.
    Example: {"issueId": "DEMO-1", "profileKey": "worker", "mode": "EXECUTE"}
    """
    desk, agent = handing.look_up(ctx, request)
    payload = handing.mode_update(desk.issue, agent, request.mode)
    if payload is None and (agent.id if agent else None) == desk.issue.assigned_agent_id:
        return row_of(desk.issue, desk.names)
    with ctx.transaction() as tx:
        change = IssueChange(desk, tx)
        assignments.assign(change, agent, mode=request.mode, payload=payload)
        saved = change.save()
    return row_of(saved, desk.names)


@namespace.tool(
    scopes=[Scope.WRITE_ISSUES],
    effect=Effect.MUTATING,
    modes=EXECUTE_ONLY,
    asks=["hand it to someone else", "pass it on"],
)
def reassign(request: ReassignIssue, ctx: Context) -> Handoff:
    """Hand an issue over to another agent with a reason: comment, assignment and wake in one step.

    Archived agents and the agent that has the issue already are refused.
    Example: {"issueId": "DEMO-1", "toProfileKey": "reviewer", "rationale": "Implemented; needs a review."}
    """
    desk, agent, previous = handing.look_up_successor(ctx, request)
    with ctx.transaction() as tx:
        change = IssueChange(desk, tx)
        comment = handing.comment_on(change, agent, request.rationale)
        told = {
            "auto": False,
            "from": previous.id if previous else None,
            "to": agent.id,
            "reason": "handoff",
            "rationale": request.rationale,
            "commentId": comment.id,
        }
        assignments.assign(change, agent, payload=told)
        change.save()
    came_from = previous.profile_key if previous else None
    return Handoff(issue_id=desk.issue.id, from_=came_from, to=agent.profile_key, comment_id=comment.id)
