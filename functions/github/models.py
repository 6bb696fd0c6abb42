"""What one says about things on GitHub, and what is told of them."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated

from pydantic import Field

from forge.contract.fields import Id, IssueId, LabelRef, ProjectRef, up_to
from forge.contract.models import Model, Omittable, OmittableList
from forge.contract.synonyms import AlsoCalled
from forge.work.backlog.github.links import LinkKind
from forge.work.backlog.github.resources import ResourceType
from forge.work.backlog.github.views import LinkView, ResourceView, Trust
from forge.work.issues.issues import MAX_LABELS

Url = Annotated[
    str,
    Field(min_length=1, max_length=2048, description="https://github.com/owner/repo/issues/12 or …/pull/12."),
]
MappingId = Annotated[
    str, Field(min_length=1, max_length=200, description="The mapping: its id, or the name owner/repo.")
]
RepoFullName = Annotated[str, Field(min_length=3, max_length=200, description="owner/repo, in any case.")]
Ignored = Annotated[OmittableList[str], Field(description="What was named and left out, and why.")]


class SearchedType(StrEnum):
    ISSUE = "issue"
    PULL_REQUEST = "pr"


class MappingStatus(StrEnum):
    ACTIVE = "active"
    PAUSED = "paused"


class ParseUrl(Model):
    url: Url


class ListLinked(Model):
    issue_id: IssueId


class LinkResource(Model):
    issue_id: IssueId
    url: Url
    kind: Annotated[
        LinkKind, Field(description="What it is to the issue: SOURCE, IMPLEMENTS, REVIEWS or RELATES_TO.")
    ] = LinkKind.RELATES_TO
    mapping_id: Annotated[
        MappingId | None, Field(description="Else the mapping of the URL's repository.")
    ] = None


class ImportIssue(Model):
    mapping_id: MappingId | None = None
    repo_full_name: RepoFullName | None = None
    number: Annotated[int, Field(ge=1, le=2**31 - 1, description="The issue's number on GitHub.")]
    project_id: Annotated[ProjectRef | None, Field(description="Else the mapping's project.")] = None
    label_ids: Annotated[
        list[LabelRef],
        Field(max_length=MAX_LABELS, description=f"Besides those of the mapping; {MAX_LABELS} in all."),
    ] = []
    queue: Annotated[bool | None, Field(description="Whether it waits for somebody; else as mapped.")] = None


class SyncResource(Model):
    external_resource_id: Annotated[Id, Field(description="Its id, as github.listLinked shows it.")]


class SearchGitHub(Model):
    mapping_id: Annotated[MappingId, AlsoCalled("repoFullName")]
    query: Annotated[str, Field(min_length=1, max_length=200, description="Words, as GitHub searches them.")]
    type: Annotated[SearchedType | None, Field(description="Only issues, or only pull requests: pr.")] = None
    limit: Annotated[int, up_to(50)] = 20


class ListMappings(Model):
    include_paused: Annotated[bool, Field(description="Whether paused ones are shown too.")] = False


class ParsedUrl(Model):
    owner: str
    repo: str
    repo_full_name: str
    type: ResourceType
    number: int
    url: str


class LinkedRow(Model):
    """A link, and what it leads to as it was when somebody last looked."""

    id: str
    issue_id: str
    kind: LinkKind
    created_at: datetime
    external_resource: ResourceView


class LinkedResources(Model):
    data: list[LinkedRow]


class LinkedResource(Model):
    resource: ResourceView
    link: LinkView


class ImportedIssue(Model):
    """`created` is false where the issue was imported before."""

    issue_id: str
    identifier: str
    created: bool
    resource: ResourceView
    link: LinkView
    ignored: Ignored = []


class SyncedResource(ResourceView):
    ignored: Ignored = []


class FoundRow(Model):
    resource_type: ResourceType
    number: int
    url: str
    title: str
    state: str
    labels: list[str]
    author: str
    updated_at: datetime
    trust: Trust


class FoundResources(Model):
    """`truncated` where GitHub has found more."""

    data: list[FoundRow]
    truncated: Omittable[bool] = None


class MappingRow(Model):
    id: str
    provider: str
    kind: str
    target: str
    status: MappingStatus


class Mappings(Model):
    data: list[MappingRow]
