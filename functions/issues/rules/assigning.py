"""Whom an issue goes to, and what that means where the same agent has it already."""

from forge.contract.terms import EngagementMode
from forge.errors import Conflict, InvalidInput
from forge.work.issues.issues import IssueItem
from forge.work.workspace.people.agents import AgentItem


def require_one_way(*, is_named: bool, is_given: bool, agent_id: str | None, has_mode: bool) -> None:
    """An agent by its id (none to take the issue back) or by its profile key, and a mode only for one."""
    if is_named is is_given:
        raise InvalidInput(
            "Say which agent, in one way.",
            issues={"agentId": "Give agentId (null to take the issue back) or profileKey, not both."},
        )
    if not is_named and agent_id is None and has_mode:
        raise InvalidInput(
            "Nobody would work in that mode.", issues={"mode": "Leave it out, or name an agent."}
        )


def is_news(issue: IssueItem, agent: AgentItem | None, mode: EngagementMode | None) -> bool:
    """Whether anything changes: another agent, or for the same one another mode while it is not at work."""
    if agent is None or agent.id != issue.assigned_agent_id:
        return (agent.id if agent else None) != issue.assigned_agent_id
    if mode is None:
        return False
    if issue.live_run_of(agent.id):
        raise Conflict(
            "This agent is at work on the issue.", hint="Let its run be completed or abandoned first."
        )
    return True


def require_another(issue: IssueItem, agent: AgentItem) -> None:
    if agent.id == issue.assigned_agent_id:
        raise Conflict("This agent has the issue already.", hint="Hand it to another one, or just comment.")


def handoff_text(agent: AgentItem, rationale: str) -> str:
    return f"Handoff → @{agent.profile_key}: {rationale}"
