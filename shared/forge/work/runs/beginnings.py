"""A run that begins, as it is before anything was heard of its agent."""

from forge.context import Context
from forge.work.issues.issues import IssueItem
from forge.work.people.agents import AgentItem
from forge.work.runs import silence
from forge.work.runs.modes import Engagement
from forge.work.runs.runs import RunItem
from forge.work.workspaces.workspaces import WorkspaceItem


def new_run(
    ctx: Context, issue: IssueItem, agent: AgentItem, engagement: Engagement, *, workspace: WorkspaceItem
) -> RunItem:
    now = ctx.now()
    run = RunItem(
        workspace_id=issue.workspace_id,
        id=ctx.new_id("run"),
        issue_id=issue.id,
        agent_id=agent.id,
        engagement_mode=engagement[0],
        engagement_source=engagement[1],
        started_at=now,
        last_event_at=now,
    )
    return silence.watched(run, workspace)
