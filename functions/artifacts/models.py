"""Artifacts as they come in and go out."""

from datetime import datetime
from typing import Annotated

from pydantic import AfterValidator, AliasChoices, Field, StringConstraints

from forge.contract.clearing import Changes, Clearable
from forge.contract.fields import SAYS_SOMETHING, Id, IssueId, PagedRows
from forge.contract.models import Model, Omittable
from forge.work.content.artifacts.artifacts import ArtifactStatus, ArtifactType, SourceType
from forge.work.workspace.people.runtimes import EvidenceKind

MAX_PART = 40_000
"""In characters; a longer text comes in parts."""
_MAX_SUMMARY = 6_000


def _fits(summary: str) -> str:
    """Lists read it with every artifact, so that it is held to bytes, too."""
    if len(summary.encode()) > _MAX_SUMMARY:
        raise ValueError(f"must be at most {_MAX_SUMMARY} bytes of UTF-8")
    return summary


Title = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9-]{1,64}$")]
Summary = Annotated[str, StringConstraints(max_length=2_000), AfterValidator(_fits)]
Text = Annotated[str, StringConstraints(min_length=1, max_length=200_000), SAYS_SOMETHING]
# Some clients refuse a parameter that is called `type`, so another name is published, and both are taken.
Type = Annotated[ArtifactType | None, Field(validation_alias=AliasChoices("artifactType", "type"))]
ArtifactId = Annotated[Id, Field(description="The artifact's id.")]


class ListArtifacts(PagedRows):
    issue_id: Annotated[IssueId | None, Field(description="Only of this issue, by id or identifier.")] = None
    artifact_type: Annotated[Type, Field(description="Only of this type.")] = None
    status: Annotated[ArtifactStatus | None, Field(description="Only in this status.")] = None
    include_archived: Annotated[bool, Field(description="Whether archived ones are shown too.")] = False


class GetArtifact(Model):
    id: Annotated[Id | None, Field(description="The artifact's id; or give slug.")] = None
    slug: Annotated[Slug | None, Field(description="The artifact's slug; or give id.")] = None
    version: Annotated[int | None, Field(ge=1, description="The text of this version; default the last.")] = (
        None
    )
    offset: Annotated[
        int, Field(ge=0, description="Where the part begins; nextOffset of the one before.")
    ] = 0
    limit: Annotated[int, Field(ge=1, le=MAX_PART, description="Characters of the text at most.")] = MAX_PART


class CreateArtifact(Model, rare=["artifact_type", "status", "summary", "slug"]):
    title: Annotated[Title, Field(description="What it is called.")]
    body: Annotated[Text, Field(description="The whole text, as Markdown.")]
    artifact_type: Annotated[Type, Field(description="Default DOCUMENT.")] = None
    status: Annotated[ArtifactStatus, Field(description="How far it is.")] = ArtifactStatus.DRAFT
    summary: Annotated[Summary | None, Field(description="In a few sentences.")] = None
    slug: Annotated[Slug | None, Field(description="Unique, of a-z, 0-9 and -.")] = None
    issue_id: Annotated[IssueId | None, Field(description="The issue it belongs to.")] = None


class UpdateArtifact(Changes):
    id: ArtifactId
    title: Annotated[Title | None, Field(description="A new title.")] = None
    body: Annotated[Text | None, Field(description="The new text, all of it: becomes a new version.")] = None
    artifact_type: Annotated[Type, Field(description="Another type.")] = None
    status: Annotated[
        ArtifactStatus | None, Field(description="How far it is now; brings an archived one back.")
    ] = None
    summary: Annotated[Summary | None, Clearable(), Field(description="A new summary.")] = None
    slug: Annotated[Slug | None, Field(description="Another unique name of a-z, 0-9 and -.")] = None


class ArchiveArtifact(Model):
    id: ArtifactId


class Promote(Model):
    source_type: Annotated[SourceType, Field(description="What sourceId is the id of.")]
    source_id: Annotated[
        Id, Field(description="Of a comment, run, issue, note or message, whose text is copied.")
    ]
    title: Annotated[
        Title | None, Field(description="Default that of the issue or note, or the first line of the text.")
    ] = None
    artifact_type: Annotated[Type, Field(description="Default DOCUMENT.")] = None
    status: Annotated[ArtifactStatus, Field(description="How far it is.")] = ArtifactStatus.DRAFT
    slug: Annotated[Slug | None, Field(description="Unique, of a-z, 0-9 and -.")] = None
    issue_id: Annotated[
        IssueId | None, Field(description="The issue it belongs to; default the source's, if it has one.")
    ] = None


class ArtifactRow(Model):
    """Everything but the text."""

    id: str
    slug: str
    title: str
    type: ArtifactType
    status: ArtifactStatus
    summary: str | None
    version_number: int
    issue_id: str | None
    source_type: Omittable[SourceType] = None
    source_id: Omittable[str] = None
    evidence: Omittable[EvidenceKind] = None
    created_by_id: str | None
    created_by_agent_id: str | None
    created_at: datetime
    updated_at: datetime
    archived_at: Omittable[datetime] = None


class VersionView(Model):
    """`size` is in bytes of UTF-8."""

    number: int
    size: int
    created_by_id: str | None
    created_by_agent_id: str | None
    created_at: datetime


class ArtifactDetail(ArtifactRow):
    """With the text of one version, or a part of it, and its last versions, the newest first."""

    version: Annotated[int, Field(description="Whose text this is.")]
    body: str
    next_offset: Annotated[Omittable[int], Field(description="Where the text goes on.")] = None
    versions: list[VersionView]
