"""Engagement modes: which one a run gets, and what an agent may do while it lasts."""

import re
from collections.abc import Iterable

from forge.context import Context
from forge.contract.terms import EngagementMode
from forge.errors import ModeForbidden
from forge.store.pages import MAX_READ
from forge.store.table import SortRange
from forge.work.issues.issues import IssueItem, LiveRun
from forge.work.people.agents import AgentItem
from forge.work.runs import run_keys
from forge.work.runs.runs import EngagementSource, LiveGuardItem
from forge.work.workspaces.workspaces import MentionPolicy, WorkspaceItem

_STRICTEST_FIRST = (
    EngagementMode.DISCUSS,
    EngagementMode.REVIEW,
    EngagementMode.RESEARCH,
    EngagementMode.EXECUTE,
)

Engagement = tuple[EngagementMode, EngagementSource]


def require_mode(ctx: Context, issue: IssueItem) -> None:
    """Refuse what the caller's live runs on this issue do not allow; people are not bound by them."""
    _require(ctx, (run.mode for run in issue.live_runs_of(ctx.caller.agent_id)), where=" on this issue")


def require_mode_anywhere(ctx: Context) -> None:
    """The same for a tool that names no issue: whatever the agent is engaged in counts."""
    if ctx.modes is None or ctx.caller.agent_id is None:
        return
    partition = run_keys.live_runs(ctx.caller.workspace_id, ctx.caller.agent_id)
    found = ctx.table.query(partition, sort=SortRange(prefix=run_keys.LIVE), limit=MAX_READ)
    _require(ctx, (LiveGuardItem.from_attributes(row).mode for row in found.rows), where="")


def _require(ctx: Context, live: Iterable[EngagementMode], *, where: str) -> None:
    if ctx.modes is None or ctx.caller.agent_id is None:
        return
    engaged = set(live)
    strictest = next((mode for mode in _STRICTEST_FIRST if mode in engaged), None)
    if strictest is None or strictest in ctx.modes:
        return
    allowed = ", ".join(sorted(ctx.modes))
    raise ModeForbidden(
        f"{ctx.tool} is not allowed while you have a live {strictest} run{where}; it needs {allowed}.",
        hint="Comment with what you found, call runs.setWaiting, or ask the operator to assign the issue to"
        " you again with mode EXECUTE.",
        details={"mode": strictest, "tool": ctx.tool, "allowedModes": sorted(ctx.modes)},
    )


def for_assignment(workspace: WorkspaceItem, agent: AgentItem, explicit: EngagementMode | None) -> Engagement:
    if explicit:
        return explicit, EngagementSource.EXPLICIT
    return agent.engagement_mode or workspace.assignment_engagement_mode, EngagementSource.SURFACE_DEFAULT


def for_assignee(workspace: WorkspaceItem, agent: AgentItem, issue: IssueItem) -> Engagement:
    """An agent that has the issue keeps doing what it was given it for."""
    if issue.assigned_agent_id == agent.id and issue.assignment_mode:
        return issue.assignment_mode, EngagementSource.SURFACE_DEFAULT
    return for_assignment(workspace, agent, None)


def for_own_work(workspace: WorkspaceItem, agent: AgentItem, issue: IssueItem) -> Engagement:
    """Of a run that an agent begins by itself, by writing to an issue."""
    mode, _ = for_assignee(workspace, agent, issue)
    return mode, EngagementSource.AGENT_REQUEST


def for_watcher() -> Engagement:
    return EngagementMode.DISCUSS, EngagementSource.SURFACE_DEFAULT


def for_mention(workspace: WorkspaceItem, agent: AgentItem, issue: IssueItem, text: str) -> Engagement:
    """A marker says it; the assignee goes on as assigned; else the workspace's policy decides."""
    marked = marker_of(text, agent.profile_key)
    if marked:
        return marked, EngagementSource.EXPLICIT
    if issue.assigned_agent_id == agent.id:
        return for_assignee(workspace, agent, issue)
    match workspace.mention_engagement_policy:
        case MentionPolicy.FIXED:
            return workspace.mention_default_mode, EngagementSource.POLICY_FIXED
        case MentionPolicy.REQUIRE_MARKER:
            return EngagementMode.DISCUSS, EngagementSource.POLICY_REQUIRE_MARKER
        case MentionPolicy.INFER:
            return workspace.mention_default_mode, EngagementSource.POLICY_INFER


def marker_of(text: str, profile_key: str) -> EngagementMode | None:
    """`@worker research: …` asks for a mode in so many words."""
    words = "|".join(EngagementMode)
    found = re.search(rf"@{re.escape(profile_key)}\s+({words})\s*:", text, re.IGNORECASE)
    return EngagementMode(found[1].upper()) if found else None


def restamped(live_runs: list[LiveRun], run_id: str, mode: EngagementMode) -> list[LiveRun]:
    return [run.model_copy(update={"mode": mode}) if run.run_id == run_id else run for run in live_runs]
