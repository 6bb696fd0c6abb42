"""Changing an issue with a relation of its own: whoever only reads relations imports none of it."""

from forge.work.issues.announcements import ISSUE_RELATED, RelationTold
from forge.work.issues.announcements import Related as RelatedTold
from forge.work.issues.changes import IssueChange
from forge.work.issues.issues import IssueItem
from forge.work.issues.relations.relations import RelationItem, settled


def settle(change: IssueChange, relation: RelationItem, other: IssueItem, *, is_added: bool) -> IssueItem:
    """Change the head with the relation, and tell of it; the other issue as it becomes."""
    after, other_after = settled(relation, change.issue, other, is_added=is_added)
    change.set(blocks=after.blocks, open_blockers=after.open_blockers, blocker_numbers=after.blocker_numbers)
    about = RelationTold(id=relation.id, kind=relation.kind, to_issue_id=relation.other_id)
    told = RelatedTold(relation=about, added=True) if is_added else RelatedTold(relation=about, removed=True)
    change.announce(ISSUE_RELATED, told, action="add-relation" if is_added else "remove-relation")
    return other_after
