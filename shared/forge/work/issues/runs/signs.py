"""Signs of an agent: what its runs on an issue hear of it, and what calls it there again."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from forge.contract.terms import EngagementMode
from forge.store.keys import Key
from forge.store.transactions import Transaction
from forge.work.issues.desks import Desk
from forge.work.issues.issues import IssueItem, LiveRun
from forge.work.issues.runs import silence
from forge.work.issues.runs.modes import Engagement
from forge.work.issues.runs.runs import RunItem, RunStatus
from forge.work.workspace.people.agents import AgentItem
from forge.work.workspace.workspaces import WorkspaceItem


@dataclass(frozen=True, slots=True)
class HeardRun:
    """A run whose agent did something, as it became; the log has what that was."""

    run: RunItem
    is_new: bool = True
    """Whether the run itself has to be written for that."""


@dataclass(frozen=True, slots=True)
class Touched:
    """A live run that an event calls again."""

    live: LiveRun
    fields: Mapping[str, object]
    new_mode: EngagementMode | None = None


def heard(
    run: RunItem, workspace: WorkspaceItem, now: datetime, *, current_step: str | None = None
) -> RunItem:
    """The run as its agent does something now; the same one where nothing is worth writing down."""
    newer = run.heard_of(now, current_step=current_step)
    is_only_a_sign = newer == run.changed(last_event_at=now)
    if is_only_a_sign and silence.is_fresh(run, workspace, now):
        return run
    return silence.still_watched(run, newer, workspace)


def seen(desk: Desk, agent_id: str | None, written: Collection[str]) -> LiveRun | None:
    """Whatever an agent writes to an issue shows that it is there, to its run unless that is written anyway.

    That moves no deadline: the sweep looks when it would have, and finds that the silence was shorter.
    """
    live = desk.issue.run_at_work_of(agent_id)
    if live is None or live.run_id in written:
        return None
    run = desk.find(RunItem, RunItem.at(desk.issue.workspace_id, live.run_id))
    return None if run and silence.is_fresh(run, desk.workspace, desk.ctx.now()) else live


def see(tx: Transaction, run: LiveRun | None) -> None:
    """With its version, so that a sweep that is about to give it up looks again."""
    if run:
        key = RunItem.at(tx.origin.caller.workspace_id, run.run_id)
        heard = {"last_event_at": tx.origin.now, "called_at": None}
        tx.adjust(key, add={"version": 1}, assign=heard)


def keys_of_last_run(issue: IssueItem) -> list[Key]:
    """The key of the stalled run that the issue still shows, if there is one."""
    last, live = issue.current_run_id, {run.run_id for run in issue.live_runs}
    return [RunItem.at(issue.workspace_id, last)] if last and last not in live else []


def step_left(last: Iterable[RunItem | None], agent_id: str) -> str | None:
    """The step whose run the agent let stall last: when it comes back, it goes on with that."""
    stalled = [run for run in last if run and run.agent_id == agent_id and run.status is RunStatus.STALLED]
    # Who judges or plans does not begin to carry the step out.
    return stalled[0].execution_step_id if stalled and stalled[0].duty is None else None


def new_run(desk: Desk, agent: AgentItem, engagement: Engagement, **fields: Any) -> RunItem:
    """A run as it is before anything was heard of its agent."""
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
        **fields,
    )
    return silence.watched(run, desk.workspace)
