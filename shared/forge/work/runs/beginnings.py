"""A run that begins, as it is before anything was heard of its agent."""

from forge.work.issues.desks import Desk
from forge.work.people.agents import AgentItem
from forge.work.runs import silence
from forge.work.runs.modes import Engagement
from forge.work.runs.runs import RunItem


def new_run(desk: Desk, agent: AgentItem, engagement: Engagement) -> RunItem:
    now = desk.ctx.now()
    run = RunItem(
        workspace_id=desk.issue.workspace_id,
        id=desk.ctx.new_id("run"),
        issue_id=desk.issue.id,
        agent_id=agent.id,
        engagement_mode=engagement[0],
        engagement_source=engagement[1],
        started_at=now,
        last_event_at=now,
    )
    return silence.watched(run, desk.workspace)
