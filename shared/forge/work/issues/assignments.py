"""Giving an issue to an agent: the old agent's runs end, the new one watches, and is woken in its mode."""

from typing import Any

from forge.contract.terms import EngagementMode
from forge.errors import Conflict
from forge.store.keys import Key
from forge.work import texts
from forge.work.issues import issue_keys, transitions, watchers
from forge.work.issues.changes import Call, IssueChange, Reason, keys_of_agents, keys_of_runs
from forge.work.issues.desks import Desk
from forge.work.issues.issues import BodyItem, IssueItem, LiveRun
from forge.work.issues.watchers import WatchItem
from forge.work.log.events import EventKind
from forge.work.people import people_keys
from forge.work.people.agents import AgentItem
from forge.work.people.names import keys_of
from forge.work.runs import modes
from forge.work.runs.runs import RunItem, RunStatus
from forge.work.workspaces.statuses import StatusCategory

_NOT_STARTED = frozenset({StatusCategory.BACKLOG, StatusCategory.TODO})


def needs(desk: Desk, agent_id: str | None) -> list[Key]:
    """What `assign` has to find on the desk; the issue's body must be there already."""
    wanted = [*keys_of(desk.issue), *keys_of_agents(desk)]
    wanted += keys_of_runs(desk, _runs_of_assignee(desk.issue))
    if agent_id is None:
        return wanted
    workspace_id, issue_id = desk.issue.workspace_id, desk.issue.id
    return [
        *wanted,
        people_keys.agent(workspace_id, agent_id),
        issue_keys.watch(workspace_id, issue_id, agent_id),
    ]


def require_available(agent: AgentItem) -> None:
    if agent.archived_at is not None:
        raise Conflict("This agent was archived.", hint="agents.list shows the agents that can be assigned.")


def assign(
    change: IssueChange,
    agent: AgentItem | None,
    *,
    mode: EngagementMode | None = None,
    payload: dict[str, Any] | None = None,
) -> None:
    """The issue has another agent now, or the same one in another mode, or none."""
    previous = change.issue.assigned_agent_id
    if agent is None or agent.id != previous:
        change.end_runs(_runs_of_assignee(change.issue), lambda run: _ending(run, agent))
    if agent is None:
        change.set(assigned_agent_id=None, assignment_mode=None)
        told = {"agentId": None, "previousAgentId": previous}
        change.announce(EventKind.AGENT_ASSIGNED, payload or told, action="unassign")
        return
    engagement = modes.for_assignment(change.desk.workspace, agent, mode)
    change.set(assigned_agent_id=agent.id, assignment_mode=engagement[0])
    told = {"agentId": agent.id, "previousAgentId": previous, "engagementMode": engagement[0]}
    more = _begin(change, engagement[0])
    change.announce(
        EventKind.AGENT_ASSIGNED,
        (payload or told) | {"issueSnapshot": snapshot(change)} | more,
        action="assign",
        calls=[Call(agent.id, Reason.ASSIGNED, engagement, is_fresh=True)],
    )
    _watch(change, agent)
    _apply_template(change, agent)


def snapshot(change: IssueChange) -> dict[str, Any]:
    """The issue in a few words, for whoever gets the event without reading the issue."""
    issue: IssueItem = change.issue
    labels = [change.desk.names.label(label_id) for label_id in issue.label_ids]
    return {
        "id": issue.id,
        "number": issue.number,
        "title": issue.title,
        "priority": issue.priority,
        "statusId": issue.status_id,
        "projectId": issue.project_id,
        "labelNames": sorted(label.name for label in labels if label),
    }


def _begin(change: IssueChange, mode: EngagementMode) -> dict[str, Any]:
    """Work that is to be done has begun as soon as somebody has it, where the workspace says so."""
    status_id = change.desk.workspace.started_status_id
    status = change.desk.workspace.status(status_id) if status_id else None
    if status is None or mode is not EngagementMode.EXECUTE or change.issue.category not in _NOT_STARTED:
        return {}
    transitions.stamp(change, status)
    return {"autoTransitionedTo": status.id}


def _watch(change: IssueChange, agent: AgentItem) -> None:
    issue = change.issue
    known = change.desk.find(WatchItem, issue_keys.watch(issue.workspace_id, issue.id, agent.id))
    if known is None:
        watchers.add(change.tx, issue, agent_id=agent.id)


def _apply_template(change: IssueChange, agent: AgentItem) -> None:
    """An agent's template fills an empty description, and never touches a text."""
    issue, blobs = change.issue, change.desk.ctx.services.store.blobs
    body = change.desk.find(BodyItem, issue_keys.body(issue.workspace_id, issue.id))
    if not agent.template_markdown or body is None or _has_text(body):
        return
    name = f"{issue.workspace_id}/{issue.id}/{change.tx.origin.new_id('txt')}"
    change.tx.replace(body.changed(description=texts.keep(blobs, agent.template_markdown, name=name)))
    change.announce(
        EventKind.ISSUE_UPDATED,
        {
            "fromAgentTemplate": True,
            "agentId": agent.id,
            "profileKey": agent.profile_key,
            "description": True,
        },
        action="update",
    )


def _runs_of_assignee(issue: IssueItem) -> list[LiveRun]:
    """Not those for steps of a plan: they end with their step."""
    own = issue.live_run_of(issue.assigned_agent_id)
    return [own] if own else []


def _has_text(body: BodyItem) -> bool:
    return body.description is not None and bool(body.description.blob or body.description.text.strip())


def _ending(run: RunItem, successor: AgentItem | None) -> tuple[RunStatus, str]:
    to = f"given to @{successor.profile_key}" if successor else "taken back"
    return RunStatus.ABANDONED, f"The issue was {to}."
