"""Whom an issue goes to, and from whom it comes."""

from typing import Any

from forge.context import Context
from forge.contract.terms import EngagementMode
from forge.errors import Conflict, InvalidInput
from forge.store.keys import Key
from forge.work import texts
from forge.work.comments import comments
from forge.work.comments.comments import CommentItem
from forge.work.issues import assignments, issue_keys
from forge.work.issues.changes import IssueChange
from forge.work.issues.desks import Desk, open_issue, unknown_reference
from forge.work.issues.issues import IssueItem
from forge.work.people import people_keys
from forge.work.people.agents import AgentItem
from forge.work.workspaces import workspace_keys
from forge.work.workspaces.guards import GuardItem
from functions.issues.models.assigning import AssignIssue, ReassignIssue


def look_up(ctx: Context, request: AssignIssue) -> tuple[Desk, AgentItem | None]:
    """The issue, and the agent that gets it; none when it is taken back."""
    is_named = request.profile_key is not None
    # Some clients send null for whatever they leave out.
    is_given = "agent_id" in request.model_fields_set and not (is_named and request.agent_id is None)
    if is_named is is_given:
        raise InvalidInput(
            "Say which agent, in one way.",
            issues={"agentId": "Give agentId (null to take the issue back) or profileKey, not both."},
        )
    if not is_named and request.agent_id is None and request.mode:
        raise InvalidInput(
            "Nobody would work in that mode.", issues={"mode": "Leave it out, or name an agent."}
        )
    return _open(ctx, request.issue_id, request.agent_id, request.profile_key, field="profileKey")


def look_up_successor(ctx: Context, request: ReassignIssue) -> tuple[Desk, AgentItem, AgentItem | None]:
    desk, agent = _open(ctx, request.issue_id, None, request.to_profile_key, field="toProfileKey")
    if agent is None:
        raise unknown_reference("toProfileKey", "agent", "agents.list")
    if agent.id == desk.issue.assigned_agent_id:
        raise Conflict("This agent has the issue already.", hint="Hand it to another one, or just comment.")
    return desk, agent, desk.names.agent(desk.issue.assigned_agent_id)


def mode_update(
    issue: IssueItem, agent: AgentItem | None, mode: EngagementMode | None
) -> dict[str, Any] | None:
    """What is told when only the mode changes; None when the agent does, or nothing."""
    if agent is None or mode is None or agent.id != issue.assigned_agent_id:
        return None
    if issue.live_run_of(agent.id):
        raise Conflict(
            "This agent is at work on the issue.", hint="Let its run be completed or abandoned first."
        )
    told = {"agentId": agent.id, "previousAgentId": agent.id}
    return {**told, "engagementMode": mode, "modeUpdated": True}


def comment_on(change: IssueChange, agent: AgentItem, rationale: str) -> CommentItem:
    tx, issue, ctx = change.tx, change.issue, change.desk.ctx
    text = f"Handoff → @{agent.profile_key}: {rationale}"
    name = f"{issue.workspace_id}/{issue.id}/{tx.origin.new_id('txt')}"
    comment = CommentItem(
        workspace_id=issue.workspace_id,
        issue_id=issue.id,
        id=tx.origin.new_id("cmt"),
        body=texts.keep(ctx.services.store.blobs, text, name=name),
        created_at=tx.origin.now,
        updated_at=tx.origin.now,
        author_id=ctx.caller.user_id,
        authoring_agent_id=ctx.caller.agent_id,
    )
    comments.add(tx, comment)
    return comment


def _open(
    ctx: Context, given: str, agent_id: str | None, profile_key: str | None, *, field: str
) -> tuple[Desk, AgentItem | None]:
    workspace_id = ctx.caller.workspace_id
    guard = workspace_keys.guard(workspace_id, "AGENT", profile_key) if profile_key else None

    def parts(issue_id: str) -> list[Key]:
        wanted = [issue_keys.body(workspace_id, issue_id)]
        wanted += [guard] if guard else []
        return [*wanted, people_keys.agent(workspace_id, agent_id)] if agent_id else wanted

    desk = open_issue(ctx, given, parts)
    if guard:
        owner = desk.find(GuardItem, guard)
        if owner is None:
            raise unknown_reference(field, "agent", "agents.list")
        agent_id = owner.owner_id
    desk.fetch(assignments.needs(desk, agent_id))
    if agent_id is None:
        return desk, None
    agent = desk.names.agent(agent_id)
    if agent is None:
        raise unknown_reference("agentId", "agent", "agents.list")
    assignments.require_available(agent)
    return desk, agent
