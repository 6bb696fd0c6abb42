"""Opening an issue together with the agent that is to get it."""

from forge.context import Context
from forge.contract.references import Kind
from forge.errors import InvalidInput
from forge.work.content.references.resolving import found_in, keys_of, own_id
from forge.work.issues import assignments
from forge.work.issues.changes import IssueChange, begin_change
from forge.work.issues.desks import open_issue
from forge.work.workspace.meanings import unknown
from forge.work.workspace.people.agents import AgentItem


def open_for_nobody(ctx: Context, given: str) -> IssueChange:
    """The issue that is to be taken back."""
    desk = open_issue(ctx, given)
    return begin_change(desk, assignments.needs(desk.issue, None))


def open_for_agent(ctx: Context, given: str, agent_id: str) -> tuple[IssueChange, AgentItem]:
    """The issue, and the agent with this id; two requests."""
    desk = open_issue(ctx, given, lambda _: [AgentItem.at(ctx.caller.workspace_id, agent_id)])
    change = begin_change(desk, assignments.needs(desk.issue, agent_id))
    return change, _available(change, agent_id, missing=unknown(Kind.AGENT, "agentId", agent_id))


def open_for_named(
    ctx: Context, given: str, profile_key: str, *, field: str
) -> tuple[IssueChange, AgentItem]:
    """The issue, and the agent with this profile key or id, or the caller itself; two requests."""
    profile_key = own_id(ctx, Kind.AGENT, profile_key, field=field) or profile_key
    desk = open_issue(ctx, given, lambda _: keys_of(ctx, Kind.AGENT, profile_key))
    agent_id = found_in(desk, ctx, Kind.AGENT, profile_key)
    missing = unknown(Kind.AGENT, field, profile_key)
    if agent_id is None:
        raise missing
    change = begin_change(desk, assignments.needs(desk.issue, agent_id))
    return change, _available(change, agent_id, missing=missing)


def _available(change: IssueChange, agent_id: str, *, missing: InvalidInput) -> AgentItem:
    agent = change.desk.names.agent(agent_id)
    if agent is None:
        raise missing
    assignments.require_available(agent)
    return agent
