"""Giving an issue to an agent: the old agent's runs end, the new one watches, and is woken in its mode."""

from typing import Any

from forge.contract.terms import EngagementMode
from forge.errors import Conflict
from forge.store.keys import Key
from forge.work.issues import heads
from forge.work.issues.announcements import (
    AGENT_ASSIGNED,
    AGENT_DISPATCHED,
    AGENT_TOOK_OVER,
    TEMPLATE_APPLIED,
    Assigned,
    AutoAssigned,
    DispatchTold,
    HandedOver,
    IssueSnapshot,
    TemplateApplied,
)
from forge.work.issues.auto_dispatch.reasons import DispatchReason
from forge.work.issues.changes import IssueChange, keys_of_runs
from forge.work.issues.heads import Seat
from forge.work.issues.issues import NO_CLAIM, NOT_STARTED, BodyItem, IssueItem, LiveRun
from forge.work.issues.runs import modes
from forge.work.issues.runs.runs import RunItem, RunStatus
from forge.work.issues.runs.waking import Reason, WakeCall
from forge.work.issues.watchers import WatchItem
from forge.work.workspace.people.agents import AgentItem
from forge.work.workspace.people.names import keys_of


def needs(issue: IssueItem, agent_id: str | None) -> list[Key]:
    """The keys that assigning this agent, or nobody, is decided on."""
    wanted = [*keys_of(issue), *keys_of_runs(issue, _runs_of_assignee(issue))]
    if agent_id is None:
        return wanted
    workspace_id = issue.workspace_id
    return [
        *wanted,
        BodyItem.at(workspace_id, issue.id),
        AgentItem.at(workspace_id, agent_id),
        WatchItem.at(workspace_id, issue.id, agent_id),
    ]


def require_available(agent: AgentItem) -> None:
    if agent.archived_at is not None:
        raise Conflict("This agent was archived.", hint="agents.list shows the agents that can be assigned.")


def take_back(change: IssueChange) -> None:
    """Nobody has the issue now."""
    previous = change.issue.assigned_agent_id
    _end_runs(change, None)
    _end_claim_of(change, previous)
    change.set(assigned_agent_id=None, assignment_mode=None, dispatch_reason=None)
    told = Assigned(agent_id=None, previous_agent_id=previous)
    change.announce(AGENT_ASSIGNED, told, action="unassign")


def assign(change: IssueChange, agent: AgentItem, *, mode: EngagementMode | None = None) -> None:
    """The issue has another agent now, or the same one in another mode."""
    previous = change.issue.assigned_agent_id
    is_same = agent.id == previous
    given = _give(change, agent, mode)
    told = Assigned(
        agent_id=agent.id,
        previous_agent_id=previous,
        engagement_mode=mode if is_same else change.issue.assignment_mode,
        **({"mode_updated": True} if is_same else {}),
        **given,
    )
    change.announce(AGENT_ASSIGNED, told, action="assign", calls=[_call(change, agent, mode)])
    _welcome(change, agent)


def auto_assign(change: IssueChange, agent: AgentItem, reason: DispatchReason, *, told: DispatchTold) -> None:
    """Auto-dispatch has chosen an agent; unless its last place is gone meanwhile, it has the issue now."""
    previous = change.issue.assigned_agent_id
    given = _give(change, agent, None)
    change.set(dispatch_reason=reason)
    change.seat = Seat(agent.id, agent.max_concurrent)
    event = AutoAssigned(
        agent_id=agent.id,
        previous_agent_id=previous,
        auto=True,
        mode=reason.mode,
        **({"rule_id": reason.rule_id} if reason.rule_id else {}),
        dispatch=told,
        engagement_mode=change.issue.assignment_mode,
        **given,
    )
    change.announce(AGENT_DISPATCHED, event, action="auto-dispatch", calls=[_call(change, agent, None)])
    _welcome(change, agent)


def hand_over(change: IssueChange, agent: AgentItem, *, rationale: str, comment_id: str) -> None:
    """Another agent goes on, and is told why."""
    previous = change.issue.assigned_agent_id
    # Whoever hands it over no longer works on it, assigned or not.
    if change.issue.claimed_by_agent_id == change.caller_agent_id != previous:
        own = change.issue.live_run_of(change.caller_agent_id)
        change.end_runs([own] if own else [], lambda run: _ending(run, agent))
    _end_claim_of(change, change.caller_agent_id)
    given = _give(change, agent, None)
    told = HandedOver(
        auto=False,
        from_=previous,
        to=agent.id,
        reason="handoff",
        rationale=rationale,
        comment_id=comment_id,
        **given,
    )
    change.announce(AGENT_TOOK_OVER, told, action="assign", calls=[_call(change, agent, None)])
    _welcome(change, agent)


def _give(change: IssueChange, agent: AgentItem, mode: EngagementMode | None) -> dict[str, Any]:
    """Put the issue into the agent's hands; what is told of that besides who got it."""
    if agent.id != change.issue.assigned_agent_id:
        _end_runs(change, agent)
        _end_claim_of(change, change.issue.assigned_agent_id)
    engagement = modes.for_assignment(change.desk.workspace, agent, mode)
    change.set(
        assigned_agent_id=agent.id, assignment_mode=engagement[0], dispatch_reason=None, times_ignored=0
    )
    begun = _begin(change, engagement[0])
    return {"issue_snapshot": snapshot(change), **begun}


def _call(change: IssueChange, agent: AgentItem, mode: EngagementMode | None) -> WakeCall:
    engagement = modes.for_assignment(change.desk.workspace, agent, mode)
    return WakeCall(agent.id, Reason.ASSIGNED, engagement, is_fresh=True)


def _welcome(change: IssueChange, agent: AgentItem) -> None:
    change.watch(agent_id=agent.id)
    _apply_template(change, agent)


def snapshot(change: IssueChange) -> IssueSnapshot:
    issue = change.issue
    labels = [change.desk.names.label(label_id) for label_id in issue.label_ids]
    return IssueSnapshot.of(issue, label_names=sorted(label.name for label in labels if label))


def _begin(change: IssueChange, mode: EngagementMode) -> dict[str, Any]:
    """Work that is to be done has begun as soon as somebody has it, where the workspace says so."""
    status_id = change.desk.workspace.started_status_id
    status = change.desk.workspace.status(status_id) if status_id else None
    if status is None or mode is not EngagementMode.EXECUTE or change.issue.category not in NOT_STARTED:
        return {}
    change.set(**heads.stamps(change.issue, status, change.now))
    return {"auto_transitioned_to": status.id}


def _apply_template(change: IssueChange, agent: AgentItem) -> None:
    """An agent's template fills an empty description, and never touches a text."""
    body = change.desk.get(BodyItem, BodyItem.at(change.issue.workspace_id, change.issue.id))
    if not agent.template_markdown or _has_text(body):
        return
    change.description = agent.template_markdown
    told = TemplateApplied(
        from_agent_template=True, agent_id=agent.id, profile_key=agent.profile_key, description=True
    )
    change.announce(TEMPLATE_APPLIED, told, action="update")


def _end_claim_of(change: IssueChange, agent_id: str | None) -> None:
    if agent_id and change.issue.claimed_by_agent_id == agent_id:
        change.set(**NO_CLAIM)


def _end_runs(change: IssueChange, successor: AgentItem | None) -> None:
    change.end_runs(_runs_of_assignee(change.issue), lambda run: _ending(run, successor))


def _runs_of_assignee(issue: IssueItem) -> list[LiveRun]:
    """Not those for steps of a plan: they end with their step."""
    own = issue.live_run_of(issue.assigned_agent_id)
    return [own] if own else []


def _has_text(body: BodyItem) -> bool:
    return body.description is not None and bool(body.description.blob or body.description.text.strip())


def _ending(run: RunItem, successor: AgentItem | None) -> tuple[RunStatus, str]:
    to = f"given to @{successor.profile_key}" if successor else "taken back"
    return RunStatus.ABANDONED, f"The issue was {to}."
