"""Relations between issues: each is stored with both issues, so that either one's list is one Query."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from forge.context import Context
from forge.contract.models import Model
from forge.errors import Conflict, DomainError, PreconditionFailed
from forge.store.items import Item
from forge.store.keys import At
from forge.store.ranges import HIGHEST, SortRange
from forge.store.readings import Readings, Rows
from forge.store.transactions import Transaction, overtaken
from forge.work.issues.desks import Desk, Reference, open_with_parts
from forge.work.issues.identifiers import ReferenceItem
from forge.work.issues.issues import OF_ISSUE, IssueItem
from forge.work.issues.views import IssueBrief


class RelationKind(StrEnum):
    BLOCKS = "BLOCKS"
    BLOCKED_BY = "BLOCKED_BY"
    DUPLICATES = "DUPLICATES"
    RELATES_TO = "RELATES_TO"


MAX_RELATIONS = 60
"""Of one issue, in both directions together."""

MIRRORS = {
    RelationKind.BLOCKS: RelationKind.BLOCKED_BY,
    RelationKind.BLOCKED_BY: RelationKind.BLOCKS,
}


class RelationItem(Item):
    """A relation as one of its two issues has it.

    A kind with a mirror is a relation of its own on each side, and each knows the other's id. Of the other
    kinds the second issue keeps a note of what points at it, which is inbound.
    """

    stored = At(OF_ISSUE, "X#RELATION#{direction}#{other_id}")

    workspace_id: str
    id: str
    issue_id: str
    """The issue whose row this is."""
    other_id: str
    kind: RelationKind
    is_inbound: bool = False
    mirror_id: str | None = None
    created_at: datetime

    @property
    def direction(self) -> str:
        return f"{self.kind}-INBOUND" if self.is_inbound else self.kind

    @property
    def counterpart(self) -> "RelationItem":
        """The same as the other issue has it. Neither ever changes, so one is enough to know both."""
        turned = self.changed(issue_id=self.other_id, other_id=self.issue_id, version=1)
        if self.mirror_id is None:
            return turned.changed(is_inbound=not self.is_inbound)
        if self.kind not in MIRRORS:
            raise Conflict(
                f"Only a newer Forge knows what {self.kind} is from the other side.", hint="Change it there."
            )
        return turned.changed(id=self.mirror_id, mirror_id=self.id, kind=MIRRORS[self.kind])


class BlockGraphItem(Item):
    """Its version moves with each blocker that is added: two that together close a cycle collide here."""

    stored = At("WS#{workspace_id}#BLOCKGRAPH", "VERSION")

    workspace_id: str


def new(tx: Transaction, kind: RelationKind, *, issue_id: str, other_id: str) -> RelationItem:
    origin = tx.origin
    return RelationItem(
        workspace_id=origin.caller.workspace_id,
        id=origin.new_id("rel"),
        issue_id=issue_id,
        other_id=other_id,
        kind=kind,
        mirror_id=origin.new_id("rel") if kind in MIRRORS else None,
        created_at=origin.now,
    )


def add(tx: Transaction, relation: RelationItem) -> None:
    """Store a relation with both issues. Their heads change too where one blocks the other: see `settled`."""
    for row in (relation, relation.counterpart):
        # Whoever adds the same at this moment decides again, and finds it.
        tx.create(row, refusal=overtaken)
        if not row.is_inbound:
            tx.create(_reference(row))


def remove(tx: Transaction, relation: RelationItem) -> None:
    """Take a relation from both issues: neither row ever changes, so the one that was read tells of all."""
    for row in (relation, relation.counterpart):
        tx.delete(row)
        if not row.is_inbound:
            tx.delete(_reference(row))


def move_graph(tx: Transaction, workspace_id: str, seen: BlockGraphItem | None) -> None:
    """A blocker is added to the graph as it was seen; if somebody was quicker, all is decided again."""
    if seen is not None:
        tx.replace(seen)
        return
    tx.create(BlockGraphItem(workspace_id=workspace_id), refusal=overtaken)


def settled(
    relation: RelationItem, issue: IssueItem, other: IssueItem, *, is_added: bool
) -> tuple[IssueItem, IssueItem]:
    """Both issues, the relation's own first, as they are once it is there or gone."""
    match relation.kind:
        case RelationKind.BLOCKS:
            return _blocking(issue, other, is_added=is_added)
        case RelationKind.BLOCKED_BY:
            return _blocking(other, issue, is_added=is_added)[::-1]
        case _:
            return issue, other


def _blocking(blocker: IssueItem, blocked: IssueItem, *, is_added: bool) -> tuple[IssueItem, IssueItem]:
    others = [issue_id for issue_id in blocker.blocks if issue_id != blocked.id]
    return (
        blocker.changed(blocks=[*others, blocked.id] if is_added else others),
        blocked.blocked_by(blocker.number, is_blocking=is_added) if blocker.is_open else blocked,
    )


def _reference(relation: RelationItem) -> ReferenceItem:
    return ReferenceItem(
        workspace_id=relation.workspace_id,
        name=relation.id,
        issue_id=relation.issue_id,
        sort=relation.key.sort,
    )


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
            hint="Remove one with remove first; listForIssue shows them.",
        )


class Direction(StrEnum):
    OUTBOUND = "outbound"
    INBOUND = "inbound"


class RelationView(Model):
    """`direction` is seen from the issue that was asked for; `issue` is the other one."""

    id: str
    kind: RelationKind
    direction: Direction
    from_issue_id: str
    to_issue_id: str
    issue: IssueBrief
    created_at: datetime


def relation_view(relation: RelationItem, other: IssueBrief) -> RelationView:
    mine, theirs = relation.issue_id, relation.other_id
    is_inbound = relation.is_inbound
    return RelationView.of(
        relation,
        direction=Direction.INBOUND if is_inbound else Direction.OUTBOUND,
        from_issue_id=theirs if is_inbound else mine,
        to_issue_id=mine if is_inbound else theirs,
        issue=other,
    )
