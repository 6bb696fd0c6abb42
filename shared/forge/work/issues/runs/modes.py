"""Engagement modes: which one a run gets, and what an agent may do while it lasts."""

import re
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from forge.auth import narrowing
from forge.context import Context
from forge.contract.terms import EngagementMode, ModePolicy
from forge.errors import ModeForbidden
from forge.store.ranges import SortRange
from forge.store.walks import MAX_READ
from forge.work.issues.inbox.rows import ENDS_WITH, OF_AGENT, Duty
from forge.work.issues.issues import IssueItem, LiveRun
from forge.work.issues.runs.runs import EngagementSource, LiveRunItem
from forge.work.workspace.people.agents import AgentItem
from forge.work.workspace.workspaces import MentionPolicy, WorkspaceItem

_STRICTEST_FIRST = (
    EngagementMode.DISCUSS,
    EngagementMode.REVIEW,
    EngagementMode.RESEARCH,
    EngagementMode.EXECUTE,
)

Engagement = tuple[EngagementMode, EngagementSource]


def forbidding(allowed: ModePolicy, engaged: Collection[EngagementMode]) -> EngagementMode | None:
    """The mode that stands in the way: of all that an agent is engaged in, the strictest decides."""
    strictest = next((mode for mode in _STRICTEST_FIRST if mode in engaged), None)
    return None if strictest is None or strictest in allowed else strictest


def forbidding_anywhere(allowed: ModePolicy, engaged: Collection[EngagementMode]) -> EngagementMode | None:
    """The mode that forbids a call about no issue; a live run that allows it is enough, and so is no run."""
    return forbidding(allowed, engaged) if allowed.isdisjoint(engaged) else None


def require_may_change(ctx: Context, issue: IssueItem) -> None:
    """The tool's effect on the issue is refused by no mode, nor by a key that is for another run."""
    require_mode(ctx, issue)
    if ctx.changes:
        narrowing.require_issue_of_run(ctx.caller, issue.id)


def require_mode(ctx: Context, issue: IssueItem) -> None:
    """Refuse what the caller's live runs on this issue do not allow; people are not bound by them."""
    if ctx.modes is None or ctx.caller.agent_id is None:
        return
    live = issue.engagements_of(ctx.caller.agent_id)
    if forbidding(ctx.modes, {run.mode for run in live}):
        engaged = [_Engaged(run.mode, run.run_id, issue.id, run.duty) for run in live]
        raise _refusal(ctx, ctx.modes, engaged, "on this issue")


def require_mode_anywhere(ctx: Context) -> None:
    """For a tool that names no issue: refused where the agent is engaged, and nowhere in such a mode."""
    if ctx.modes is None or ctx.caller.agent_id is None:
        return
    partition = OF_AGENT(ctx.caller.workspace_id, ctx.caller.agent_id)
    found = ctx.table.query_all(partition, sort=SortRange(prefix=LiveRunItem.stored.prefix()), most=MAX_READ)
    require_mode_among(ctx, found.first_ones().of(LiveRunItem))


def require_mode_among(ctx: Context, live_runs: Iterable[LiveRunItem]) -> None:
    """The same where all that the agent is engaged in was read already."""
    # Who is called to judge or to plan is kept from nothing else by it.
    live = [_Engaged(one.mode, one.run_id, one.issue_id) for one in live_runs if one.duty is None]
    allowed = ctx.modes
    if allowed is not None and forbidding_anywhere(allowed, {one.mode for one in live}):
        raise _refusal(ctx, allowed, live, "and none that allows it")


class _Engaged(NamedTuple):
    mode: EngagementMode
    run_id: str
    issue_id: str
    duty: Duty | None = None


def _refusal(ctx: Context, allowed: ModePolicy, engaged: Sequence[_Engaged], where: str) -> ModeForbidden:
    """All the runs that stand in the way have to end: the strictest is named, and how many more there are."""
    refused = [mode for mode in _STRICTEST_FIRST if mode not in allowed]
    in_the_way = [one for mode in refused for one in engaged if one.mode is mode]
    run, names = in_the_way[0], sorted(allowed)
    ending = ENDS_WITH.get(run.duty, "runs.complete") if run.duty else "runs.complete"
    others = f" and {len(in_the_way) - 1} more (runs.list)" if len(in_the_way) > 1 else ""
    return ModeForbidden(
        f"{ctx.tool} is not allowed while you have a live {run.mode} run {where}; it needs"
        f" {', '.join(names)}.",
        hint=f"End {run.run_id} on {run.issue_id}{others} with {ending}, and say there what you found.",
        details={
            "mode": run.mode,
            "tool": ctx.tool,
            "allowedModes": names,
            "runId": run.run_id,
            "issueId": run.issue_id,
        },
    )


def for_assignment(workspace: WorkspaceItem, agent: AgentItem, explicit: EngagementMode | None) -> Engagement:
    if explicit:
        return explicit, EngagementSource.EXPLICIT
    return agent.engagement_mode or workspace.assignment_engagement_mode, EngagementSource.SURFACE_DEFAULT


def for_assignee(workspace: WorkspaceItem, agent: AgentItem, issue: IssueItem) -> Engagement:
    """The mode in which the issue's assignee goes on: the one it was assigned with."""
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
        case MentionPolicy.INFER:
            return workspace.mention_default_mode, EngagementSource.POLICY_INFER
        case _:
            # Also for a policy that only another build knows: nobody is set to work by a guess.
            return EngagementMode.DISCUSS, EngagementSource.POLICY_REQUIRE_MARKER


def marker_of(text: str, profile_key: str) -> EngagementMode | None:
    """`@worker research: …` asks for a mode in so many words."""
    words = "|".join(EngagementMode)
    found = re.search(rf"@{re.escape(profile_key)}\s+({words})\s*:", text, re.IGNORECASE)
    return EngagementMode(found[1].upper()) if found else None


def restamped(live_runs: list[LiveRun], run_id: str, mode: EngagementMode) -> list[LiveRun]:
    return [run.model_copy(update={"mode": mode}) if run.run_id == run_id else run for run in live_runs]
