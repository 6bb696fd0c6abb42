"""Creating and editing issues."""

from forge.auth import narrowing
from forge.context import Context
from forge.contract.effects import Cost
from forge.contract.terms import EXECUTE_ONLY
from forge.work.issues import heads
from forge.work.issues.announcements import (
    AGENT_ASSIGNED,
    AGENT_DISPATCHED,
    ISSUE_CREATED,
    ISSUE_EDITED,
    ISSUE_LABELLED,
    ISSUE_PRIORITIZED,
    ISSUE_QUEUED,
    TEMPLATE_APPLIED,
)
from forge.work.issues.auto_dispatch import handovers
from forge.work.issues.changes import IssueChange, begin_change
from forge.work.issues.desks import new_issue, open_issue, settings_in
from forge.work.issues.edits import beginnings, labelling, transitions
from forge.work.issues.issues import BodyItem, IssueItem
from forge.work.issues.runs.announcements import RUN_STARTED
from forge.work.issues.runs.modes import require_mode_anywhere
from forge.work.issues.saving import save, save_new
from forge.work.issues.views import DescribedIssue, described, row_of
from forge.work.record import texts
from forge.work.record.search import search
from forge.work.record.texts import KeptText
from forge.work.workspace.labels import LabelItem
from forge.work.workspace.people.names import keys_of, people_of
from functions.issues.models.writing import CreateIssue, Labelled, SetLabels, UpdateIssue
from functions.issues.repository import writing as repository
from functions.issues.rules import writing
from functions.issues.tools import namespace


@namespace.writes(
    modes=EXECUTE_ONLY,
    costs=Cost(reads=4, writes=3, items=22).up_to(reads=5, items=64, because="labels and words are rows"),
    emits=[ISSUE_CREATED, ISSUE_QUEUED, AGENT_ASSIGNED, AGENT_DISPATCHED, TEMPLATE_APPLIED, RUN_STARTED],
    asks=["report a bug", "open a ticket", "file a task", "request a feature", "write down a problem"],
)
def create(request: CreateIssue, ctx: Context) -> DescribedIssue:
    """Create an issue and return it as stored; you watch it from then on.

    Look with issues.list {"query": …} first, so that nothing is filed twice. With `queue` somebody can claim
    it at once; an assigned agent is woken. Example: {"title": "Fix login timeout", "priority": "HIGH"}
    """
    require_mode_anywhere(ctx)
    readings = repository.look_up(ctx, request)
    narrowing.require_within(ctx.caller, project_id=request.project_id, label_ids=request.label_ids)
    workspace = settings_in(ctx, readings)
    status = (
        transitions.status_of(workspace, request.status_id) if request.status_id else workspace.default_status
    )
    issue = beginnings.first_head(
        workspace,
        status,
        ctx.caller,
        number=beginnings.number_of(ctx),
        now=ctx.now(),
        id=ctx.new_id("iss"),
        label_ids=frozenset(request.label_ids),
        **request.model_dump(include={"title", "priority", "project_id", "artifact_required", "sla_minutes"}),
    )
    agent_id = request.assigned_agent_id
    desk = new_issue(ctx, issue, _body(ctx, issue, request), readings=readings, assignee_id=agent_id)
    change = IssueChange(desk)
    beginnings.begin(change, is_queued=request.queue, agent=desk.names.agent(agent_id))
    handovers.offer(change)
    tx = ctx.plan()
    heads.count_labels(tx, issue.workspace_id, added=issue.label_ids, removed=())
    search.index_title(tx, issue.workspace_id, issue.id, old_title=None, new_title=issue.title)
    created = save_new(tx, change)
    return described(created, desk.names, change.description or request.description or None)


@namespace.writes(
    for_runs=True,
    modes=EXECUTE_ONLY,
    idempotent=True,
    costs=Cost(reads=2, writes=1, items=16).up_to(
        reads=2 + writing.MAX_ABOVE,
        items=39 + writing.MAX_ABOVE,
        because="twenty parents are walked up",
    ),
    emits=[ISSUE_EDITED, ISSUE_PRIORITIZED, RUN_STARTED],
    asks=[
        "fix a typo in the title",
        "set the priority",
        "set a due date",
        "edit an issue's text",
        "estimate the size",
    ],
)
def update(request: UpdateIssue, ctx: Context) -> DescribedIssue:
    """Edit an issue and return it; what is left out stays, `clear` empties fields.

    For the status use issues.transition, for the agent issues.assign, for labels issues.setLabels.
    Example: {"id": "DEMO-1", "priority": "URGENT", "dueDate": "2030-01-31T12:00:00Z"}
    """
    desk, parents = repository.open_edited(ctx, request)
    body, given = repository.body_of(desk), request.given()
    known = {name: repository.text_of(ctx, getattr(body, name)) for name in writing.TEXTS}
    edit = writing.edit_of(
        desk.issue,
        given | ({"parent_id": parents[0].id} if parents else {}),
        texts=known,
        checklist=body.verification_checklist,
    )
    edited = desk.issue.changed(**edit.head)
    stays_there = edited.project_id == desk.issue.project_id
    narrowing.require_within(
        ctx.caller,
        project_id=edited.project_id,
        label_ids=edited.label_ids,
        issue_id=edited.id if stays_there else None,
    )
    change = begin_change(desk, [*keys_of(edited), *people_of(edited)])
    description = {**known, **edit.texts}["description"]
    if edit.is_empty:
        return described(desk.issue, desk.names, description)
    writing.edit(change, edit)
    tx = ctx.plan()
    if "parent_id" in edit.head:
        for one in parents:
            tx.check(one)  # Nobody closes a circle with us: whoever moves one makes us decide again.
    search.index_title(tx, edited.workspace_id, edited.id, old_title=desk.issue.title, new_title=edited.title)
    if edit.texts or edit.checklist is not None:
        checklist = body.verification_checklist if edit.checklist is None else edit.checklist
        kept = {name: _kept(ctx, edited, text) for name, text in edit.texts.items()}
        tx.replace(body.changed(**kept, verification_checklist=checklist))
        change.set(updated_at=tx.origin.now)  # Decisions are about texts: it is seen at once.
    return described(save(tx, change), desk.names, description)


@namespace.writes(
    for_runs=True,
    modes=EXECUTE_ONLY,
    idempotent=True,
    name="setLabels",
    costs=Cost(reads=2, writes=1, items=10).up_to(items=50, because="twenty labels come and twenty go"),
    emits=[ISSUE_LABELLED, RUN_STARTED],
    asks=["tag a ticket", "categorize an issue", "put a label on an issue", "untag"],
)
def set_labels(request: SetLabels, ctx: Context) -> Labelled:
    """Add and remove labels of an issue, by name or id; labels.list shows them.

    Example: {"issueId": "DEMO-1", "add": ["bug"], "remove": []}
    """
    desk = open_issue(ctx, request.issue_id)
    issue, workspace_id = desk.issue, ctx.caller.workspace_id
    given = [LabelItem.at(workspace_id, one) for one in (*request.add, *request.remove)]
    change = begin_change(desk, [*given, *keys_of(issue)])
    labelling.require_labels(desk.names, request.add, field="add")
    labelling.require_labels(desk.names, request.remove, field="remove")
    added, removed = labelling.relabel(change, add=request.add, remove=request.remove)
    if not added and not removed:
        return Labelled(issue=row_of(issue, desk.names), added=[], removed=[])
    narrowing.require_within(
        ctx.caller, project_id=issue.project_id, label_ids=change.issue.label_ids, issue_id=issue.id
    )
    tx = ctx.plan()
    heads.count_labels(tx, workspace_id, added=added, removed=removed)
    return Labelled(issue=row_of(save(tx, change), desk.names), added=added, removed=removed)


def _body(ctx: Context, issue: IssueItem, request: CreateIssue) -> BodyItem:
    checklist = writing.checklist_of(request.model_dump(include={"verification_checklist"}))
    return BodyItem(
        workspace_id=issue.workspace_id,
        issue_id=issue.id,
        description=_kept(ctx, issue, request.description),
        expected_output=_kept(ctx, issue, request.expected_output),
        verification_checklist=checklist,
    )


def _kept(ctx: Context, issue: IssueItem, text: str | None) -> KeptText | None:
    """A long text is kept apart before anything refers to it."""
    if not text:
        return None
    name = f"{issue.workspace_id}/{issue.id}/{ctx.new_id('txt')}"
    return texts.keep(ctx.services.store.blobs, text, name=name)
