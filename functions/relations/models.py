"""Relations as they come in and go out."""

from typing import Annotated

from pydantic import Field

from forge.contract.fields import Id, IssueId, Limit, Paged
from forge.contract.models import Model, Page
from forge.contract.synonyms import AlsoCalled
from forge.work.issues.relations.relations import RelationKind, RelationView


class AddRelation(Model):
    from_issue_id: Annotated[
        Id, Field(description="The issue that something is said of: its id or identifier, such as DEMO-12.")
    ]
    to_issue_id: Annotated[Id, Field(description="The other issue: its id or identifier.")]
    kind: Annotated[
        RelationKind,
        Field(description="What the first issue does: BLOCKS, BLOCKED_BY, DUPLICATES, RELATES_TO."),
    ]


class RemoveRelation(Model):
    relation_id: Annotated[
        Id,
        AlsoCalled("id"),
        Field(description="The relation's id; either of the two where one issue blocks the other."),
    ]


class ListRelations(Paged):
    issue_id: IssueId
    limit: Limit = 100


class AddedRelation(Model):
    """Each as its own issue shows it; only BLOCKS and BLOCKED_BY have a reciprocal."""

    relation: RelationView
    reciprocal: RelationView | None


class Relations(Page[RelationView]):
    """What the issue says of others, and what they say of it."""
