"""An edit of an issue: what it asks for, what of it is really new, and what follows from that."""

from dataclasses import dataclass, replace
from typing import Any

from forge.auth import narrowing
from forge.context import Context
from forge.contract.names import camel_case
from forge.errors import Conflict, InvalidInput, NotFound
from forge.store.keys import Key
from forge.work import texts
from forge.work.comments import comments
from forge.work.issues import issue_keys
from forge.work.issues.changes import Call, IssueChange, Reason
from forge.work.issues.desks import Desk, Reference, may_see, open_issue, resolve, unknown_reference
from forge.work.issues.issues import BodyItem, ChecklistItem, IssueItem, Priority
from forge.work.log.events import EventKind
from forge.work.people.agents import AgentItem
from forge.work.planning import planning_keys
from forge.work.runs import modes
from forge.work.search import search
from forge.work.texts import KeptText
from functions.issues.models.writing import UpdateIssue
from functions.issues.rules.drafts import require_project

_OF_HEAD = ("title", "priority", "project_id", "cycle_id", "due_date", "estimate", "artifact_required")
_TEXTS = ("description", "expected_output")
_URGENT = frozenset({Priority.HIGH, Priority.URGENT})
_MAX_CHECKLIST = 100_000


@dataclass(frozen=True, slots=True)
class Edit:
    issue: IssueItem
    body: BodyItem
    patch: dict[str, Any]
    """What really changes, by its name on the wire."""
    description: str | None


def look_up(ctx: Context, request: UpdateIssue) -> tuple[Desk, str | None]:
    """The issue with what it will refer to; and the id of its new parent."""
    workspace_id = ctx.caller.workspace_id
    parent = _parent(ctx, request.parent_id) if request.parent_id else None

    def parts(issue_id: str) -> list[Key]:
        wanted = [issue_keys.body(workspace_id, issue_id)]
        if request.project_id:
            wanted.append(planning_keys.project(workspace_id, request.project_id))
        if request.cycle_id:
            wanted.append(planning_keys.cycle(workspace_id, request.cycle_id))
        return [*wanted, issue_keys.head(workspace_id, parent.issue_id)] if parent else wanted

    desk = open_issue(ctx, request.id, parts)
    if request.project_id and request.project_id != desk.issue.project_id:
        require_project(desk.rows, workspace_id, request.project_id)
    if request.cycle_id and planning_keys.cycle(workspace_id, request.cycle_id) not in desk.rows:
        raise unknown_reference("cycleId", "cycle", "cycles.list")
    if parent:
        _require_parent(desk, parent)
    return desk, parent.issue_id if parent else None


def edit(desk: Desk, request: UpdateIssue, parent_id: str | None) -> Edit:
    given = request.given()
    wanted = {name: given[name] for name in _OF_HEAD if name in given}
    if "parent_id" in given:
        wanted["parent_id"] = parent_id
    head, body = desk.issue, _body(desk)
    patch = {camel_case(name): new for name, new in wanted.items() if getattr(head, name) != new}
    made = Edit(head.changed(**wanted), body, patch, _text(desk, body.description))
    for name in _TEXTS:
        if name in given:
            made = _with_text(desk, made, name, given[name] or None)
    if "verification_checklist" in given:
        made = _with_checklist(made, given["verification_checklist"] or [])
    return made


def require_allowed(desk: Desk, made: Edit) -> None:
    """A narrowed key can't move an issue to where it would not see it any more."""
    issue = made.issue
    narrowing.require_issue(desk.ctx.caller, project_id=issue.project_id, label_ids=issue.label_ids)


def store(change: IssueChange, made: Edit) -> None:
    before = change.before
    fields = {name: getattr(made.issue, name) for name in (*_OF_HEAD, "parent_id")}
    change.set(**fields)
    change.announce(EventKind.ISSUE_UPDATED, made.patch, action="update")
    if before.priority is not made.issue.priority:
        told = {"from": before.priority, "to": made.issue.priority}
        change.announce(
            EventKind.ISSUE_PRIORITY_CHANGED, told, action="prioritize", calls=_calls(change, made.issue)
        )
    if before.title != made.issue.title:
        search.index_title(
            change.tx, before.workspace_id, before.id, old_title=before.title, new_title=made.issue.title
        )
    if made.body != _body(change.desk):
        change.tx.replace(made.body)
    change.save()


def _calls(change: IssueChange, issue: IssueItem) -> list[Call]:
    """What has become urgent is told to whoever has it, as work and not as news."""
    if issue.priority not in _URGENT or not issue.assigned_agent_id:
        return []
    agent: AgentItem | None = change.desk.names.agent(issue.assigned_agent_id)
    if agent is None:
        return []
    return [Call(agent.id, Reason.ASSIGNED, modes.for_assignee(change.desk.workspace, agent, issue))]


def _parent(ctx: Context, given: str) -> Reference:
    try:
        return resolve(ctx, given)
    except NotFound:
        raise unknown_reference("parentId", "issue", "issues.list") from None


def _require_parent(desk: Desk, named: Reference) -> None:
    parent = desk.find(IssueItem, issue_keys.head(desk.issue.workspace_id, named.issue_id))
    if parent is None or not may_see(desk.ctx, parent) or not named.is_of(desk.workspace):
        raise unknown_reference("parentId", "issue", "issues.list")
    if parent.id == desk.issue.id:
        raise InvalidInput("An issue can't be its own parent.", issues={"parentId": "Name another issue."})
    if parent.parent_id == desk.issue.id:
        raise Conflict("That issue is a part of this one.", hint="Clear its parentId first.")


def _body(desk: Desk) -> BodyItem:
    found = desk.find(BodyItem, issue_keys.body(desk.issue.workspace_id, desk.issue.id))
    if found is None:
        raise LookupError("every issue has a body")
    return found


def _text(desk: Desk, kept: KeptText | None) -> str | None:
    return texts.read(desk.ctx.services.store.blobs, kept) if kept else None


def _with_text(desk: Desk, made: Edit, name: str, text: str | None) -> Edit:
    """A long text is shown in the event only by its beginning."""
    if _text(desk, getattr(made.body, name)) == text:
        return made
    ctx = desk.ctx
    place = f"{ctx.caller.workspace_id}/{desk.issue.id}/{ctx.new_id('txt')}"
    kept = texts.keep(ctx.services.store.blobs, text, name=place) if text else None
    patch = made.patch | {camel_case(name): comments.preview(text) if text else None}
    description = text if name == "description" else made.description
    return replace(made, body=made.body.changed(**{name: kept}), patch=patch, description=description)


def _with_checklist(made: Edit, given: list[dict[str, Any]]) -> Edit:
    items = [ChecklistItem.model_validate(one) for one in given]
    if sum(len(item.model_dump_json().encode()) for item in items) > _MAX_CHECKLIST:
        raise InvalidInput(
            "The checklist is too long.", issues={"verificationChecklist": "At most 100 KB in all."}
        )
    if items == made.body.verification_checklist:
        return made
    labels = [item.label for item in items]
    patch = made.patch | {"verificationChecklist": labels}
    return replace(made, body=made.body.changed(verification_checklist=items), patch=patch)
