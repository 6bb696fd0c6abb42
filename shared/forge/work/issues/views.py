"""Issues as every namespace shows them: a slim row in lists, and the whole head where one is asked for."""

from datetime import datetime

from forge.contract.models import Model, Omittable
from forge.contract.terms import EngagementMode
from forge.work.issues.issues import IssueItem, IssueKind, Priority
from forge.work.record.links import issue_path
from forge.work.workspace.people.names import Names
from forge.work.workspace.statuses import StatusCategory
from forge.work.workspace.workspaces import WorkspaceItem


class StatusBrief(Model):
    id: str
    name: str
    category: StatusCategory
    color: str


class ProjectBrief(Model):
    id: str
    key: str
    name: str


class AgentBrief(Model):
    id: str
    profile_key: str
    name: str


class UserBrief(Model):
    id: str
    name: str | None
    handle: str | None


class LabelBrief(Model):
    id: str
    name: str


class IssueRow(Model):
    id: str
    identifier: str
    number: int
    title: str
    url: str
    status: StatusBrief
    status_id: str
    priority: Priority
    project: ProjectBrief | None
    project_id: str | None
    assigned_agent: AgentBrief | None
    assigned_agent_id: str | None
    labels: list[LabelBrief]
    queued: bool
    claimed_by_id: Omittable[str] = None
    claimed_by_agent_id: Omittable[str] = None
    claim_expires_at: Omittable[datetime] = None
    open_blockers: Omittable[int] = None
    due_date: datetime | None
    cycle_id: Omittable[str] = None
    completed_at: Omittable[datetime] = None
    created_at: datetime
    updated_at: datetime


class DispatchView(Model):
    """How auto-dispatch decided; without an agent where nobody had room."""

    mode: str
    reason: str
    agent_id: Omittable[str] = None
    profile_key: Omittable[str] = None
    match_count: Omittable[int] = None
    rule_id: Omittable[str] = None


class Assignee(Model):
    user: UserBrief


class IssueDetail(IssueRow):
    """The whole head; long texts and what hangs on the issue come only where they are asked for."""

    kind: IssueKind
    author: UserBrief | None
    author_id: str | None
    author_agent_id: str | None
    parent_id: str | None
    cycle_id: str | None
    estimate: float | None
    sla_minutes: int | None
    assignees: list[Assignee]
    assignment_mode: EngagementMode | None
    dispatch_reason: Omittable[DispatchView] = None
    claimed_at: datetime | None
    artifact_required: bool
    started_at: datetime | None
    completed_at: datetime | None
    canceled_at: datetime | None


class DescribedIssue(IssueDetail):
    """With the description that was just written."""

    description: str | None


class CheckView(Model):
    """An item of the checklist that a run is held to."""

    id: str | None
    label: str
    kind: str | None
    value: str | None
    done: bool


class IssueBrief(Model):
    """An issue where another is shown: enough to recognise it and to know how it stands."""

    id: str
    identifier: str
    number: int
    title: str
    status_id: str
    status: StatusBrief


class Failure(Model):
    """An issue of many that was not changed."""

    id: str
    message: str


def row_of(issue: IssueItem, names: Names) -> IssueRow:
    return IssueRow.of(issue, **_row_fields(issue, names))


def detail_of(issue: IssueItem, names: Names) -> IssueDetail:
    return IssueDetail.of(issue, **detail_fields(issue, names))


def described(issue: IssueItem, names: Names, description: str | None) -> DescribedIssue:
    return DescribedIssue.of(issue, **detail_fields(issue, names), description=description)


def brief_of(issue: IssueItem, names: Names) -> IssueBrief:
    status, identifier = status_of(names.workspace, issue), names.identifier(issue.number)
    return IssueBrief.of(issue, identifier=identifier, status=status)


def detail_fields(issue: IssueItem, names: Names) -> dict[str, object]:
    assignees = [Assignee(user=user_of(user_id, names)) for user_id in sorted(issue.assignee_ids)]
    author = user_of(issue.author_id, names) if issue.author_id else None
    dispatched = DispatchView.of(issue.dispatch_reason) if issue.dispatch_reason else None
    return _row_fields(issue, names) | {
        "author": author,
        "assignees": assignees,
        "dispatch_reason": dispatched,
    }


def status_of(workspace: WorkspaceItem, issue: IssueItem) -> StatusBrief:
    known = workspace.status(issue.status_id)
    if known is None:
        return StatusBrief(id=issue.status_id, name=issue.category, category=issue.category, color="#64748b")
    return StatusBrief.of(known)


def agent_of(agent_id: str | None, names: Names) -> AgentBrief | None:
    agent = names.agent(agent_id)
    return AgentBrief.of(agent) if agent else None


def user_of(user_id: str, names: Names) -> UserBrief:
    """Who left the workspace keeps only the id."""
    member = names.member(user_id)
    return UserBrief(
        id=user_id, name=member.name if member else None, handle=member.handle if member else None
    )


def _row_fields(issue: IssueItem, names: Names) -> dict[str, object]:
    project = names.project(issue.project_id)
    labels = [found for label_id in issue.label_ids if (found := names.label(label_id))]
    identifier = names.identifier(issue.number)
    return {
        "identifier": identifier,
        "url": issue_path(names.workspace.slug, identifier),
        "status": status_of(names.workspace, issue),
        "project": ProjectBrief(id=project.id, key=project.project_key, name=project.name)
        if project
        else None,
        "assigned_agent": agent_of(issue.assigned_agent_id, names),
        "labels": [LabelBrief.of(label) for label in sorted(labels, key=lambda one: (one.name, one.id))],
        "open_blockers": issue.open_blockers or None,
    }
