"""Opening issues together with their relations, and a relation together with its issues."""

from collections.abc import Mapping
from dataclasses import dataclass

from forge.context import Context
from forge.errors import InvalidInput, NotFound
from forge.store.keys import Key
from forge.work.issues.desks import (
    Desk,
    Reference,
    no_such_issue,
    open_issue,
    open_with_parts,
    resolve,
    settings_key,
    unknown_reference,
)
from forge.work.issues.identifiers import ReferenceItem
from forge.work.issues.issues import OF_ISSUE, IssueItem
from forge.work.issues.relations.relations import (
    HEAD_AND_RELATIONS,
    MOST_READ,
    BlockGraphItem,
    RelatedIssues,
    RelationItem,
    open_end,
    relations_in,
)
from functions.relations import rules
from functions.relations.models import AddRelation


@dataclass(frozen=True, slots=True)
class Pair:
    """Two issues that are about to be related; what is read for one desk is on the other, too."""

    subject: RelatedIssues
    other: RelatedIssues
    graph: BlockGraphItem | None
    """As it was before either issue was read."""


def open_pair(ctx: Context, request: AddRelation) -> Pair:
    """Both issues, if the caller may see them and, in its mode, may do this to both."""
    unknown = unknown_reference("toIssueId", request.to_issue_id)
    subject_is = resolve(ctx, request.from_issue_id)
    other_is = resolve(ctx, request.to_issue_id, missing=lambda _: unknown)
    # The graph comes before any issue: what is added to it after this makes our own addition fail.
    place = BlockGraphItem.at(ctx.caller.workspace_id)
    readings = ctx.table.read([settings_key(ctx), place])
    subject = open_end(ctx, subject_is, missing=no_such_issue(request.from_issue_id), readings=readings)
    if subject_is.issue_id == other_is.issue_id:
        raise InvalidInput(
            "An issue can't be related to itself.", issues={"toIssueId": "Name another issue."}
        )
    other = open_end(ctx, other_is, missing=unknown, readings=readings)
    return Pair(subject, other, readings.find(BlockGraphItem, place))


def open_related(ctx: Context, reference: Reference, *, given: str) -> RelatedIssues:
    """An issue with its relations; the desk holds the issues that they lead to."""
    desk, rows = open_with_parts(
        ctx,
        reference,
        parts=HEAD_AND_RELATIONS,
        most=MOST_READ + 1,
        missing=no_such_issue(given),
        beside=lambda rows: [relation.other_id for relation in relations_in(rows)],
    )
    return RelatedIssues(desk, relations_in(rows))


def open_relation(ctx: Context, relation_id: str) -> tuple[Desk, RelationItem, IssueItem]:
    """A relation, its issue on a desk, and the other issue."""
    workspace_id = ctx.caller.workspace_id
    named = ReferenceItem.at(workspace_id, relation_id)
    place = ctx.table.read([named]).find_named(ReferenceItem, named)
    if place is None or not place.sort.startswith(RelationItem.stored.prefix()):
        raise _no_such_relation(relation_id)
    row = Key(OF_ISSUE(workspace_id, place.issue_id), place.sort)
    other = Reference(place.sort.rpartition("#")[2])
    desk = open_issue(ctx, place.issue_id, lambda _: [row], beside=[other])
    relation = desk.find(RelationItem, row)
    # Removed since, and perhaps added again under another id.
    if relation is None or relation.id != relation_id:
        raise _no_such_relation(relation_id)
    return desk, relation, desk.beside(other.issue_id, missing=_no_such_relation(relation_id))


def read_blocked(pair: Pair, blocked: IssueItem, *, blocker_id: str) -> Mapping[str, list[str]]:
    """What the issue blocks, itself and through others, as far as one has to look to find a circle."""
    desk, graph = pair.subject.desk, {blocked.id: blocked.blocks}
    level = [*blocked.blocks]
    while level and blocker_id not in level and len(graph) + len(level) < rules.MAX_WALKED:
        desk.fetch((), issue_ids=level)
        found = [issue for issue_id in level if (issue := desk.other(issue_id))]
        graph |= {issue.id: issue.blocks for issue in found}
        further = dict.fromkeys(issue_id for issue in found for issue_id in issue.blocks)
        level = [issue_id for issue_id in further if issue_id not in graph]
    return graph | {issue_id: [] for issue_id in level if issue_id not in graph}


def _no_such_relation(relation_id: str) -> NotFound:
    return NotFound(
        f"There is no relation {relation_id[:60]!r}.",
        hint="relations.listForIssue shows the relations of an issue.",
    )
