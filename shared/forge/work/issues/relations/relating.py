"""Relating two issues: opening each with its relations, how many it may have, and what a relation changes."""

from collections.abc import Sequence
from dataclasses import dataclass

from forge.context import Context
from forge.errors import DomainError, PreconditionFailed
from forge.store.readings import Readings, Rows
from forge.store.table import HIGHEST, SortRange
from forge.work.issues.announcements import ISSUE_RELATED, RelationTold
from forge.work.issues.announcements import Related as RelatedTold
from forge.work.issues.changes import IssueChange
from forge.work.issues.desks import Desk, Reference, open_with_parts
from forge.work.issues.issues import IssueItem
from forge.work.issues.relations import relations
from forge.work.issues.relations.relations import MAX_RELATIONS, RelationItem, RelationKind

# More than an issue may have: those who add at the same moment count alike. With the settings, one request
# can still read all of the related issues.
MOST_READ = 99
# The relations follow right after the head.
HEAD_AND_RELATIONS = SortRange(first=IssueItem.stored.sort, last=RelationItem.stored.prefix() + HIGHEST)


@dataclass(frozen=True, slots=True)
class RelatedIssues:
    """An issue on its desk, and its relations, of both directions."""

    desk: Desk
    relations: list[RelationItem]

    @property
    def issue(self) -> IssueItem:
        return self.desk.issue

    def find(self, kind: RelationKind, other_id: str) -> RelationItem | None:
        wanted = (kind, other_id, False)
        rows = self.relations
        return next((row for row in rows if (row.kind, row.other_id, row.is_inbound) == wanted), None)


def open_end(
    ctx: Context, reference: Reference, *, missing: DomainError, readings: Readings
) -> RelatedIssues:
    """One of the two, with its relations."""
    desk, rows = open_with_parts(
        ctx,
        reference,
        parts=HEAD_AND_RELATIONS,
        most=MOST_READ + 1,
        missing=missing,
        readings=readings,
    )
    return RelatedIssues(desk, relations_in(rows))


def relations_in(rows: Rows) -> list[RelationItem]:
    return rows.of(RelationItem)


def require_room(name: str, known: Sequence[RelationItem]) -> None:
    if len(known) >= MAX_RELATIONS:
        raise PreconditionFailed(
            f"{name} has {MAX_RELATIONS} relations, which is the most.",
            hint="Remove one with relations.remove first; relations.listForIssue shows them.",
        )


def settle(change: IssueChange, relation: RelationItem, other: IssueItem, *, is_added: bool) -> IssueItem:
    """Change the head with the relation, and tell of it; the other issue as it becomes."""
    after, other_after = relations.settled(relation, change.issue, other, is_added=is_added)
    change.set(blocks=after.blocks, open_blockers=after.open_blockers, blocker_numbers=after.blocker_numbers)
    about = RelationTold(id=relation.id, kind=relation.kind, to_issue_id=relation.other_id)
    told = RelatedTold(relation=about, added=True) if is_added else RelatedTold(relation=about, removed=True)
    change.announce(ISSUE_RELATED, told, action="add-relation" if is_added else "remove-relation")
    return other_after
