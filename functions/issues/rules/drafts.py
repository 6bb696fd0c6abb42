"""A new issue: what it refers to is looked up at once, and its number is taken last."""

from forge.auth import narrowing
from forge.context import Context
from forge.errors import Conflict
from forge.store.counters import next_number
from forge.store.keys import Key
from forge.store.table import Attributes
from forge.work import texts
from forge.work.issues import transitions
from forge.work.issues.desks import unknown_reference, workspace_in
from forge.work.issues.issues import BodyItem, IssueItem
from forge.work.people import people_keys
from forge.work.planning import planning_keys
from forge.work.planning.projects import ProjectItem
from forge.work.workspaces import workspace_keys
from forge.work.workspaces.statuses import StatusCategory
from forge.work.workspaces.workspaces import AssigneeDefault, WorkspaceItem
from functions.issues.models.writing import CreateIssue


def look_up(ctx: Context, request: CreateIssue) -> tuple[WorkspaceItem, dict[Key, Attributes]]:
    """The settings and everything that the issue will refer to, in one request."""
    workspace_id, caller = ctx.caller.workspace_id, ctx.caller
    labels = [workspace_keys.label(workspace_id, label_id) for label_id in request.label_ids]
    wanted = [workspace_keys.workspace(workspace_id), *labels]
    if request.project_id:
        wanted.append(planning_keys.project(workspace_id, request.project_id))
    if caller.user_id:
        wanted.append(people_keys.member(workspace_id, caller.user_id))
    rows = ctx.table.find_rows(wanted)
    if any(label not in rows for label in labels):
        raise unknown_reference("labelIds", "label", "labels.list")
    if request.project_id:
        require_project(rows, workspace_id, request.project_id)
    narrowing.require_issue(caller, project_id=request.project_id, label_ids=request.label_ids)
    return workspace_in(ctx, rows), rows


def require_project(rows: dict[Key, Attributes], workspace_id: str, project_id: str) -> None:
    key = planning_keys.project(workspace_id, project_id)
    if key not in rows:
        raise unknown_reference("projectId", "project", "projects.list")
    if ProjectItem.from_attributes(rows[key]).archived:
        raise Conflict("This project was archived.", hint="Choose another, or unarchive it.")


def draft(ctx: Context, request: CreateIssue, workspace: WorkspaceItem) -> tuple[IssueItem, BodyItem]:
    status = (
        transitions.status_of(workspace, request.status_id) if request.status_id else workspace.default_status
    )
    # Taken once for a call: when the handler runs again, the number is still free.
    number = ctx.memory.get("number")
    if number is None:
        number = ctx.memory["number"] = next_number(ctx.table, workspace.id, "issues")
    now, category = ctx.now(), status.category
    issue = IssueItem(
        workspace_id=workspace.id,
        id=ctx.new_id("iss"),
        number=number,
        title=request.title,
        status_id=status.id,
        category=category,
        priority=request.priority,
        author_id=ctx.caller.user_id,
        author_agent_id=ctx.caller.agent_id,
        project_id=request.project_id,
        label_ids=frozenset(request.label_ids),
        assignee_ids=_first_assignees(ctx, workspace),
        created_at=now,
        updated_at=now,
        started_at=now if category is StatusCategory.IN_PROGRESS else None,
        completed_at=now if category is StatusCategory.DONE else None,
        canceled_at=now if category is StatusCategory.CANCELED else None,
    )
    return issue, BodyItem(
        workspace_id=workspace.id, issue_id=issue.id, description=_description(ctx, request, issue.id)
    )


def _description(ctx: Context, request: CreateIssue, issue_id: str) -> texts.KeptText | None:
    if not request.description:
        return None
    name = f"{ctx.caller.workspace_id}/{issue_id}/{ctx.new_id('txt')}"
    return texts.keep(ctx.services.store.blobs, request.description, name=name)


def _first_assignees(ctx: Context, workspace: WorkspaceItem) -> frozenset[str]:
    is_creator = workspace.default_issue_assignee_mode is AssigneeDefault.CREATOR
    return frozenset({ctx.caller.user_id}) if is_creator and ctx.caller.user_id else frozenset()
