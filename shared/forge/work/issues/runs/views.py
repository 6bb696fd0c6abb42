"""Runs as lists, issues and bundles show them."""

from datetime import datetime

from forge.contract.models import Model, Omittable
from forge.contract.terms import EngagementMode
from forge.work.issues.issues import IssueItem
from forge.work.issues.runs.runs import EngagementSource, RunItem, RunStatus
from forge.work.issues.views import AgentBrief, agent_of
from forge.work.workspace.people.names import Names


class RunView(Model):
    id: str
    status: RunStatus
    issue_id: str
    agent_id: str
    agent: AgentBrief | None
    engagement_mode: EngagementMode
    engagement_source: EngagementSource
    execution_step_id: Omittable[str] = None
    current_step: str | None
    trigger_kind: str | None
    trigger_event_id: str | None
    started_at: datetime
    last_event_at: datetime
    finished_at: datetime | None
    acknowledged_at: datetime | None
    output_started_at: datetime | None
    summary: Omittable[str] = None
    tokens_in: int | None
    tokens_out: int | None
    tokens_cached: int | None
    cost_usd: float | None


class WorkspaceKey(Model):
    key: str


class IssueOfRun(Model):
    id: str
    number: int
    identifier: str
    title: str
    workspace: WorkspaceKey


class RunRow(Model):
    """A run in a list of runs, which may be of many issues and agents."""

    id: str
    status: RunStatus
    engagement_mode: EngagementMode
    execution_step_id: Omittable[str] = None
    blocking: Omittable[bool] = None
    current_step: str | None
    started_at: datetime
    finished_at: datetime | None
    last_event_at: datetime
    summary: Omittable[str] = None
    tokens_in: int | None
    tokens_out: int | None
    tokens_cached: int | None
    cost_usd: float | None
    issue: IssueOfRun
    agent: AgentBrief | None


def run_view(run: RunItem, names: Names) -> RunView:
    return RunView.of(run, agent=agent_of(run.agent_id, names))


def run_row(run: RunItem, issue: IssueItem, names: Names) -> RunRow:
    shown = IssueOfRun.of(
        issue,
        identifier=names.identifier(issue.number),
        workspace=WorkspaceKey(key=names.workspace.key_prefix),
    )
    is_blocking = (run.status is RunStatus.WAITING and run.is_blocking) or None
    return RunRow.of(run, issue=shown, agent=agent_of(run.agent_id, names), blocking=is_blocking)
