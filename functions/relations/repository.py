"""Opening issues together with their relations, and a relation together with its issues."""

from dataclasses import dataclass

from forge.context import Context
from forge.errors import InvalidInput, NotFound
from forge.store import keys
from forge.store.items import of_kind
from forge.store.keys import Key
from forge.store.physical import SORT
from forge.store.table import HIGHEST, SortRange
from forge.work.issues import issue_keys
from forge.work.issues.desks import (
    Desk,
    Reference,
    no_such_issue,
    open_issue,
    require_visible,
    resolve,
    unknown_reference,
    workspace_in,
)
from forge.work.issues.issues import IssueItem, ReferenceItem
from forge.work.relations.relations import MIRRORS, BlockGraphItem, RelationItem, RelationKind
from forge.work.runs.modes import require_mode
from forge.work.workspaces import workspace_keys
from forge.work.workspaces.workspaces import WorkspaceItem
from functions.relations.models import AddRelation

# More than an issue may have: those who add at the same moment count alike. With the settings, one request
# can still read all of the related issues.
_MOST_READ = 99


@dataclass(frozen=True, slots=True)
class Related:
    """An issue and its relations, of both directions."""

    issue: IssueItem
    relations: list[RelationItem]

    def find(self, kind: RelationKind, other_id: str) -> RelationItem | None:
        wanted = (kind, other_id, False)
        rows = self.relations
        return next((row for row in rows if (row.kind, row.other_id, row.is_inbound) == wanted), None)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two issues that are about to be related. The desk is the first one's."""

    desk: Desk
    subject: Related
    other: Related

    @property
    def graph(self) -> BlockGraphItem | None:
        """As it was before either issue was read."""
        return self.desk.find(BlockGraphItem, issue_keys.block_graph(self.desk.issue.workspace_id))

    def blocking(self, kind: RelationKind) -> tuple[IssueItem, IssueItem] | None:
        """Which of them would block which; None where the kind is another."""
        if kind not in MIRRORS:
            return None
        ends = self.subject.issue, self.other.issue
        return ends if kind is RelationKind.BLOCKS else ends[::-1]


def open_pair(ctx: Context, request: AddRelation) -> Pair:
    """Both issues, if the caller may see them and, in its mode, may do this to both."""
    workspace_id, missing = ctx.caller.workspace_id, no_such_issue(request.from_issue_id)
    unknown = unknown_reference("toIssueId", "issue", "issues.list")
    subject_is = resolve(ctx, request.from_issue_id)
    try:
        other_is = resolve(ctx, request.to_issue_id)
    except NotFound:
        raise unknown from None
    # The graph comes before any issue: what is added to it after this makes our own addition fail.
    rows = ctx.table.find_rows([workspace_keys.workspace(workspace_id), issue_keys.block_graph(workspace_id)])
    workspace = workspace_in(ctx, rows)
    subject = _read(ctx, subject_is, missing=missing)
    _require(ctx, workspace, subject_is, subject.issue, missing=missing)
    if subject_is.issue_id == other_is.issue_id:
        raise InvalidInput(
            "An issue can't be related to itself.", issues={"toIssueId": "Name another issue."}
        )
    other = _read(ctx, other_is, missing=unknown)
    _require(ctx, workspace, other_is, other.issue, missing=unknown)
    return Pair(Desk(ctx, workspace, subject.issue, rows), subject, other)


def open_related(ctx: Context, reference: Reference, *, given: str) -> tuple[Desk, list[RelationItem]]:
    """An issue with its relations; the desk holds the issues that they lead to."""
    workspace_id = ctx.caller.workspace_id
    found = _read(ctx, reference, missing=no_such_issue(given))
    others = [issue_keys.head(workspace_id, relation.other_id) for relation in found.relations]
    rows = ctx.table.find_rows([workspace_keys.workspace(workspace_id), *others])
    workspace = workspace_in(ctx, rows)
    _require(ctx, workspace, reference, found.issue, missing=no_such_issue(given))
    return Desk(ctx, workspace, found.issue, rows), found.relations


def open_relation(ctx: Context, relation_id: str) -> tuple[Desk, RelationItem, IssueItem]:
    """A relation, its issue on a desk, and the other issue."""
    workspace_id = ctx.caller.workspace_id
    place = ctx.table.find(ReferenceItem, keys.reference(workspace_id, relation_id))
    if place is None or not place.sort.startswith(issue_keys.RELATIONS):
        raise _no_such_relation(relation_id)
    row = Key(issue_keys.partition(workspace_id, place.issue_id), place.sort)
    head = issue_keys.head(workspace_id, place.sort.rpartition("#")[2])
    desk = open_issue(ctx, place.issue_id, lambda _: [row, head])
    relation, other = desk.find(RelationItem, row), desk.find(IssueItem, head)
    # Removed since, and perhaps added again under another id.
    if relation is None or relation.id != relation_id or other is None:
        raise _no_such_relation(relation_id)
    require_visible(ctx, other)
    require_mode(ctx, other)
    return desk, relation, other


def _read(ctx: Context, reference: Reference, *, missing: Exception) -> Related:
    """One request: the relations follow right after the head."""
    workspace_id = ctx.caller.workspace_id
    head = issue_keys.head(workspace_id, reference.issue_id)
    both = SortRange(first=head.sort, last=issue_keys.RELATIONS + HIGHEST)
    rows = ctx.table.query_all(head.partition, most=_MOST_READ + 1, sort=both)
    if not rows or rows[0][SORT]["S"] != head.sort:
        raise missing
    relations = of_kind(RelationItem, rows, sort_prefix=issue_keys.RELATIONS)
    return Related(IssueItem.from_attributes(rows[0]), relations)


def _require(
    ctx: Context, workspace: WorkspaceItem, reference: Reference, issue: IssueItem, *, missing: Exception
) -> None:
    if issue.deleted_at is not None or not reference.is_of(workspace):
        raise missing
    require_visible(ctx, issue)
    require_mode(ctx, issue)


def _no_such_relation(relation_id: str) -> NotFound:
    return NotFound(
        f"There is no relation {relation_id[:60]!r}.",
        hint="relations.listForIssue shows the relations of an issue.",
    )
