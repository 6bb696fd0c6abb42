"""What a change came to, in the words of a test."""

from typing import Any

from forge.contract.terms import EngagementMode
from forge.work.issues.changes import IssueChange
from forge.work.issues.issues import IssueItem
from forge.work.issues.runs.runs import RunItem
from forge.work.workspace.people.agents import AgentItem

Told = tuple[str, dict[str, Any]]


def told(change: IssueChange) -> list[Told]:
    """The kind and the payload of each event."""
    return [(one.emission.kind, one.told.payload()) for one in change.announced]


def kinds(change: IssueChange) -> list[str]:
    return [one.emission.kind for one in change.announced]


def woken(change: IssueChange) -> list[tuple[str, str]]:
    """Who is woken, once the change is settled, each with the kind of the event."""
    change.settle()
    return [(wake.agent_id, one.emission.kind) for one in change.announced for wake in one.wakes]


def endings(change: IssueChange) -> dict[str, str]:
    """How each run ended that did."""
    return {run.id: run.status for run in change.ended}


def begun_modes(change: IssueChange) -> dict[str, EngagementMode]:
    """In which mode each agent begins that does."""
    return {run.agent_id: run.engagement_mode for run in change.begun}


def at_work(issue: IssueItem, *runs: RunItem) -> IssueItem:
    """With these as its live runs; the last is the current one."""
    return issue.changed(live_runs=[run.as_live for run in runs], current_run_id=runs[-1].id)


def given_to(issue: IssueItem, agent: AgentItem, mode: EngagementMode | None = None) -> IssueItem:
    return issue.changed(assigned_agent_id=agent.id, assignment_mode=mode)
