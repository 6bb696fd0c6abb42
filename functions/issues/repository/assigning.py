"""Opening an issue together with the agent that is to get it."""

from forge.context import Context
from forge.errors import InvalidInput
from forge.work.issues import assignments
from forge.work.issues.changes import IssueChange, begin_change
from forge.work.issues.desks import open_issue, unknown_reference
from forge.work.people import people_keys
from forge.work.people.agents import AgentItem
from forge.work.workspaces import workspace_keys
from forge.work.workspaces.guards import GuardItem


def open_for_nobody(ctx: Context, given: str) -> IssueChange:
    """The issue that is to be taken back."""
    desk = open_issue(ctx, given)
    return begin_change(desk, assignments.needs(desk.issue, None))


def open_for_agent(ctx: Context, given: str, agent_id: str) -> tuple[IssueChange, AgentItem]:
    """The issue, and the agent with this id; two requests."""
    desk = open_issue(ctx, given, lambda _: [people_keys.agent(ctx.caller.workspace_id, agent_id)])
    change = begin_change(desk, assignments.needs(desk.issue, agent_id))
    return change, _available(change, agent_id, missing=unknown_reference("agentId", "agent", "agents.list"))


def open_for_named(
    ctx: Context, given: str, profile_key: str, *, field: str
) -> tuple[IssueChange, AgentItem]:
    """The issue, and the agent with this profile key; two requests."""
    guard = workspace_keys.guard(ctx.caller.workspace_id, "AGENT", profile_key)
    desk = open_issue(ctx, given, lambda _: [guard])
    owner = desk.find(GuardItem, guard)
    missing = unknown_reference(field, "agent", "agents.list")
    if owner is None:
        raise missing
    change = begin_change(desk, assignments.needs(desk.issue, owner.owner_id))
    return change, _available(change, owner.owner_id, missing=missing)


def _available(change: IssueChange, agent_id: str, *, missing: InvalidInput) -> AgentItem:
    agent = change.desk.names.agent(agent_id)
    if agent is None:
        raise missing
    assignments.require_available(agent)
    return agent
