"""Creating and editing issues."""

from forge.auth import narrowing
from forge.context import Context
from forge.contract.terms import EXECUTE_ONLY, Effect, Scope
from forge.contract.tools import Namespace
from forge.errors import PreconditionFailed
from forge.store import keys
from forge.work import issues, search, watchers
from forge.work.changes import IssueChange, keys_of_agents
from forge.work.desks import Desk, open_issue, unknown_reference
from forge.work.events import EventKind, record
from forge.work.issue_views import DescribedIssue, described, row_of
from forge.work.issues import MAX_LABELS
from forge.work.modes import require_mode_anywhere
from forge.work.names import keys_of, people_of
from functions.issues.models.writing import CreateIssue, Labelled, SetLabels, UpdateIssue
from functions.issues.rules import drafts, edits

namespace = Namespace("issues", "Create issues and edit them.")


@namespace.tool(
    scopes=[Scope.WRITE_ISSUES],
    effect=Effect.MUTATING,
    modes=EXECUTE_ONLY,
    asks=["report a bug", "open a ticket", "file a task", "request a feature"],
)
def create(request: CreateIssue, ctx: Context) -> DescribedIssue:
    """Create an issue and return it as stored; you watch it from then on.

    Look with issues.list {"query": …} first, so that nothing is filed twice.
    Example: {"title": "Fix login timeout", "priority": "HIGH"}
    """
    require_mode_anywhere(ctx)
    workspace, rows = drafts.look_up(ctx, request)
    issue, body = drafts.draft(ctx, request, workspace)
    with ctx.transaction() as tx:
        issues.add(tx, issue, body)
        issues.count_labels(tx, issue.workspace_id, added=issue.label_ids, removed=())
        search.index_title(tx, issue.workspace_id, issue.id, old_title=None, new_title=issue.title)
        if ctx.caller.agent_id or ctx.caller.user_id:
            is_agent = ctx.caller.agent_id is not None
            watchers.add(
                tx, issue, agent_id=ctx.caller.agent_id, user_id=None if is_agent else ctx.caller.user_id
            )
        record(
            tx,
            EventKind.ISSUE_CREATED,
            subject=("issue", issue.id),
            action="create",
            payload={"number": issue.number, "title": issue.title},
            after=issue,
            issue_id=issue.id,
        )
    return described(Desk(ctx, workspace, issue, rows), issue, request.description or None)


@namespace.tool(
    scopes=[Scope.WRITE_ISSUES],
    effect=Effect.MUTATING,
    modes=EXECUTE_ONLY,
    idempotent=True,
    asks=["fix a typo in the title", "set the priority", "set a due date"],
)
def update(request: UpdateIssue, ctx: Context) -> DescribedIssue:
    """Edit an issue and return it; what is left out stays, null clears.

    For the status use issues.transition, for the agent issues.assign, for labels issues.setLabels.
    Example: {"id": "DEMO-1", "priority": "URGENT", "dueDate": "2030-01-31T12:00:00Z"}
    """
    desk, parent_id = edits.look_up(ctx, request)
    edit = edits.edit(desk, request, parent_id)
    desk.fetch([*keys_of(edit.issue), *keys_of(desk.issue), *people_of(edit.issue), *keys_of_agents(desk)])
    edits.require_allowed(desk, edit)
    if not edit.patch:
        return described(desk, desk.issue, edit.description)
    with ctx.transaction() as tx:
        edits.store(IssueChange(desk, tx), edit)
    return described(desk, edit.issue.changed(updated_at=tx.origin.now), edit.description)


@namespace.tool(
    scopes=[Scope.WRITE_ISSUES],
    effect=Effect.MUTATING,
    modes=EXECUTE_ONLY,
    idempotent=True,
    name="setLabels",
    asks=["tag an issue"],
)
def set_labels(request: SetLabels, ctx: Context) -> Labelled:
    """Add and remove labels of an issue; labels.list shows their ids.

    Example: {"issueId": "DEMO-1", "add": ["lbl_01J…"], "remove": []}
    """
    desk = open_issue(ctx, request.issue_id)
    issue, workspace_id = desk.issue, ctx.caller.workspace_id
    given = {*request.add, *request.remove}
    wanted = [keys.label(workspace_id, label_id) for label_id in sorted(given | issue.label_ids)]
    desk.fetch([*wanted, *keys_of(issue), *keys_of_agents(desk)])
    for field, label_ids in (("add", request.add), ("remove", request.remove)):
        if any(desk.names.label(label_id) is None for label_id in label_ids):
            raise unknown_reference(field, "label", "labels.list")
    # A label that was deleted is not shown any more, so this is the moment to let go of it.
    known = {label_id for label_id in issue.label_ids if desk.names.label(label_id)}
    after = frozenset((known - {*request.remove}) | {*request.add})
    added, removed = sorted(after - issue.label_ids), sorted(known - after)
    if not added and not removed:
        return Labelled(issue=row_of(issue, desk.names), added=[], removed=[])
    if len(after) > MAX_LABELS:
        raise PreconditionFailed(f"An issue has at most {MAX_LABELS} labels.", hint="Remove one first.")
    narrowing.require_issue(ctx.caller, project_id=issue.project_id, label_ids=after)
    with ctx.transaction() as tx:
        change = IssueChange(desk, tx)
        change.set(label_ids=after)
        issues.count_labels(tx, workspace_id, added=added, removed=removed)
        change.announce(EventKind.ISSUE_UPDATED, {"add": added, "remove": removed}, action="setLabels")
        saved = change.save()
    return Labelled(issue=row_of(saved, desk.names), added=added, removed=removed)
