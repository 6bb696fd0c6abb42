"""Relations as an issue shows them, from its own side."""

from datetime import datetime
from enum import StrEnum

from forge.contract.models import Model
from forge.work.issues.relations.relations import RelationItem, RelationKind
from forge.work.issues.views import IssueBrief


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
