"""Reading what a new or an edited issue refers to."""

from forge.context import Context
from forge.contract.references import Kind
from forge.errors import InvalidInput
from forge.store.keys import Key
from forge.store.readings import Readings
from forge.work.content.cycles.cycles import CycleItem
from forge.work.issues.desks import (
    Desk,
    open_issue,
    resolve,
    settings_in,
    settings_key,
    unknown_reference,
)
from forge.work.issues.edits import labelling
from forge.work.issues.issues import BodyItem, IssueItem
from forge.work.record.texts import KeptText, read
from forge.work.workspace.labels import LabelItem
from forge.work.workspace.meanings import unknown
from forge.work.workspace.people.agents import AgentItem
from forge.work.workspace.people.members import MemberItem
from forge.work.workspace.people.names import Names
from forge.work.workspace.projects.projects import ProjectItem
from functions.issues.models.writing import CreateIssue, UpdateIssue
from functions.issues.rules import writing


def look_up(ctx: Context, request: CreateIssue) -> Readings:
    """The settings and everything that a new issue will refer to, which must be there; one request."""
    workspace_id, caller = ctx.caller.workspace_id, ctx.caller
    wanted = [settings_key(ctx)]
    wanted += [LabelItem.at(workspace_id, label_id) for label_id in request.label_ids]
    if request.project_id:
        wanted.append(ProjectItem.at(workspace_id, request.project_id))
    if caller.user_id:
        wanted.append(MemberItem.at(workspace_id, caller.user_id))
    agents = [one for one in (request.assigned_agent_id, caller.agent_id) if one]
    wanted += [AgentItem.at(workspace_id, agent_id) for agent_id in agents]
    readings = ctx.table.read(wanted)
    names = Names(settings_in(ctx, readings), readings)
    labelling.require_labels(names, request.label_ids, field="labelIds")
    if request.project_id:
        writing.require_project(names.project(request.project_id), request.project_id)
    if request.assigned_agent_id:
        writing.require_agent(names.agent(request.assigned_agent_id), request.assigned_agent_id)
    return readings


def open_edited(ctx: Context, request: UpdateIssue) -> tuple[Desk, list[IssueItem]]:
    """The issue with what it will refer to, which must be there; and its new parent with all above that."""
    workspace_id = ctx.caller.workspace_id
    parent = resolve(ctx, request.parent_id, missing=_unknown_parent) if request.parent_id else None

    def parts(issue_id: str) -> list[Key]:
        wanted = [BodyItem.at(workspace_id, issue_id)]
        if request.project_id:
            wanted.append(ProjectItem.at(workspace_id, request.project_id))
        if request.cycle_id:
            wanted.append(CycleItem.at(workspace_id, request.cycle_id))
        return wanted

    desk = open_issue(ctx, request.id, parts, beside=[parent] if parent else [])
    if request.project_id and request.project_id != desk.issue.project_id:
        project = ProjectItem.at(workspace_id, request.project_id)
        writing.require_project(desk.find(ProjectItem, project), request.project_id)
    if request.cycle_id and not desk.has(CycleItem.at(workspace_id, request.cycle_id)):
        raise unknown(Kind.CYCLE, "cycleId", request.cycle_id)
    if parent is None:
        return desk, []
    found = desk.visible(parent.issue_id) if parent.is_of(desk.workspace) else None
    if found is None:
        raise _unknown_parent(str(request.parent_id))
    line = _line_above(desk, writing.require_parent(desk.issue, found))
    writing.require_no_circle(desk.issue, line)
    return desk, line


def body_of(desk: Desk) -> BodyItem:
    return desk.get(BodyItem, BodyItem.at(desk.issue.workspace_id, desk.issue.id))


def text_of(ctx: Context, kept: KeptText | None) -> str | None:
    return read(ctx.services.store.blobs, kept) if kept else None


def _line_above(desk: Desk, parent: IssueItem) -> list[IssueItem]:
    """The parent, its own parent and so on, as far as one has to look to find a circle."""
    line = [parent]
    while (above := line[-1].parent_id) and line[-1].id != desk.issue.id and len(line) <= writing.MAX_ABOVE:
        desk.fetch((), issue_ids=[above])
        found = desk.other(above)
        if found is None:
            break
        line.append(found)
    return line


def _unknown_parent(given: str) -> InvalidInput:
    return unknown_reference("parentId", given)
