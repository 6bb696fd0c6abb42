"""The relations' tools."""

from collections.abc import Iterator

from forge.context import Context
from forge.contract.effects import KEPT_UP, Cost
from forge.contract.models import Done
from forge.contract.terms import EXECUTE_ONLY
from forge.contract.tools import Namespace
from forge.store import keys
from forge.store.cursors import Cursors
from forge.store.pages import page_among
from forge.store.transactions import Transaction
from forge.work.issues import heads
from forge.work.issues.announcements import ISSUE_RELATED
from forge.work.issues.backlog_rows import rows
from forge.work.issues.changes import IssueChange, begin_change
from forge.work.issues.desks import resolve
from forge.work.issues.issues import OF_ISSUE, IssueItem
from forge.work.issues.pages.listing import Pager
from forge.work.issues.relations import relations, settling
from forge.work.issues.relations.relations import (
    RelatedIssues,
    RelationItem,
    RelationKind,
    RelationView,
    relation_view,
)
from forge.work.issues.runs.announcements import RUN_STARTED
from forge.work.issues.saving import save
from forge.work.issues.views import brief_of
from forge.work.workspace.people.names import Names
from functions.relations import repository, rules
from functions.relations.models import (
    AddedRelation,
    AddRelation,
    ListRelations,
    Relations,
    RemoveRelation,
)
from functions.relations.repository import Pair

namespace = Namespace("relations", "Say which issues block, duplicate or concern each other.")


@namespace.writes(
    modes=EXECUTE_ONLY,
    idempotent=True,
    costs=Cost(reads=5, writes=1, items=14).up_to(reads=201, items=16, because="200 issues are walked"),
    emits=[ISSUE_RELATED, RUN_STARTED],
    asks=[
        "mark as blocked by another issue",
        "mark as a duplicate",
        "depend on an issue",
        "connect two issues",
        "has to wait for another issue",
    ],
)
def add(request: AddRelation, ctx: Context) -> AddedRelation:
    """Link two issues: one blocks, is blocked by, duplicates or relates to the other.

    A link that exists is returned as it is. What an open issue blocks leaves the queue until that one is
    closed. The other side of BLOCKS and BLOCKED_BY is made with it, as `reciprocal`. Refused: an issue with
    itself, blocking in a circle, the 21st issue that one blocks, the 61st relation of an issue.
    Example: {"fromIssueId": "DEMO-1", "toIssueId": "DEMO-2", "kind": "BLOCKS"}
    """
    pair = repository.open_pair(ctx, request)
    subject, other = pair.subject, pair.other.issue
    names = subject.desk.names
    known = subject.find(request.kind, other.id)
    if known is not None:
        return _added(names, known, subject.issue, other)
    for end in (subject, pair.other):
        relations.require_room(names.identifier(end.issue.number), end.relations)
    change = _begin(pair, request.kind)
    tx = ctx.plan()
    relation = relations.new(tx, request.kind, issue_id=subject.issue.id, other_id=other.id)
    relations.add(tx, relation)
    if rules.blocking(request.kind, subject.issue, other):
        relations.move_graph(tx, relation.workspace_id, pair.graph)
    _settle(tx, change, relation, other, is_added=True)
    return _added(names, relation, subject.issue, other)


@namespace.writes(
    modes=EXECUTE_ONLY,
    destructive=True,
    costs=Cost(reads=3, writes=1, items=13).up_to(items=16, because=KEPT_UP),
    emits=[ISSUE_RELATED, RUN_STARTED],
    asks=["remove a dependency", "not blocked any more", "disconnect two issues"],
)
def remove(request: RemoveRelation, ctx: Context) -> Done:
    """Remove a relation from both of its issues; what nothing else blocks can be claimed again.

    relations.listForIssue shows the ids; one that is gone is not found. An issue that is finished need not be
    unlinked: closing it frees what it blocks. Example: {"relationId": "rel_01J…"}
    """
    desk, relation, other = repository.open_relation(ctx, request.relation_id)
    change = begin_change(desk)
    tx = ctx.plan()
    relations.remove(tx, relation)
    _settle(tx, change, relation, other, is_added=False)
    return Done()


@namespace.reads(
    name="listForIssue",
    costs=Cost(reads=2),
    asks=[
        "what is blocking this",
        "dependencies of an issue",
        "related issues",
        "duplicates of an issue",
        "all links of an issue",
    ],
)
def list_for_issue(request: ListRelations, ctx: Context) -> Relations:
    """List the relations of an issue in both directions, oldest first, each with the other issue.

    `direction` is seen from the issue that you name: outbound is what it says of others, inbound what they
    say of it. What blocks or is blocked is there once, in the words of the issue. Issues that your key may
    not see are left out. Pass nextCursor as cursor for more.
    Example: {"issueId": "DEMO-1"}
    """
    reference = resolve(ctx, request.issue_id)
    partition = OF_ISSUE(ctx.caller.workspace_id, reference.issue_id)
    related = repository.open_related(ctx, reference, given=request.issue_id)
    found = page_among(
        _views(related),
        lambda view: keys.by_age(view.created_at, view.id),
        request,
        cursors=Cursors(partition, "relations"),
    )
    return Pager(Relations).page(found, lambda view: view)


def _views(related: RelatedIssues) -> Iterator[RelationView]:
    """Each once, as the issue itself has it; of issues that the caller may not see, nothing."""
    for relation in related.relations:
        other = related.desk.visible(relation.other_id)
        if other is not None:
            yield relation_view(relation, brief_of(other, related.desk.names))


def _begin(pair: Pair, kind: RelationKind) -> IssueChange:
    """With nothing in the way; where one would block the other, the graph of blockers was walked."""
    desk = pair.subject.desk
    ends = rules.blocking(kind, pair.subject.issue, pair.other.issue)
    if ends is None:
        return begin_change(desk)
    blocker, blocked = ends
    named = [(one.id, desk.names.identifier(one.number)) for one in ends]
    rules.require_room_to_block(named[0][1], blocker)
    # Together with the first step of the walk, so that the agents cost no request of their own.
    change = begin_change(desk, issue_ids=blocked.blocks)
    graph = repository.read_blocked(pair, blocked, blocker_id=blocker.id)
    rules.require_no_circle(graph, blocker=named[0], blocked=named[1])
    return change


def _settle(
    tx: Transaction, change: IssueChange, relation: RelationItem, other: IssueItem, *, is_added: bool
) -> None:
    other_after = settling.settle(change, relation, other, is_added=is_added)
    if other_after != other:
        heads.replace(tx, other, rows.settled(other_after))
    save(tx, change)


def _added(names: Names, relation: RelationItem, mine: IssueItem, theirs: IssueItem) -> AddedRelation:
    return AddedRelation(
        relation=relation_view(relation, brief_of(theirs, names)),
        reciprocal=relation_view(relation.counterpart, brief_of(mine, names)) if relation.mirror_id else None,
    )
