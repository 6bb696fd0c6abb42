"""What issues have on GitHub, as tools show it."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from forge.contract.models import Model, Omittable
from forge.work.backlog.github.links import LinkItem, LinkKind
from forge.work.backlog.github.resources import GITHUB, ResourceItem, ResourceType

UNTRUSTED = "UNTRUSTED"
Trust = Annotated[
    str, Field(description="UNTRUSTED: titles, names and texts are of whoever may write on GitHub.")
]


class ResourceMetadata(Model):
    """Of a pull request also its branches, and whether it is a draft or was merged."""

    author: str
    created_at: datetime
    updated_at: datetime
    closed_at: Omittable[datetime] = None
    draft: Omittable[bool] = None
    merged: Omittable[bool] = None
    branch: Omittable[str] = None
    base: Omittable[str] = None


class ResourceView(Model):
    """An issue or a pull request on GitHub, as it was at `lastSyncedAt`."""

    id: str
    provider: str
    resource_type: ResourceType
    repo_full_name: str
    number: int
    url: str
    title: str
    state: str
    labels: list[str]
    assignees: list[str]
    metadata: ResourceMetadata
    trust: Trust
    last_synced_at: datetime


class LinkView(Model):
    id: str
    issue_id: str
    external_resource_id: str
    kind: LinkKind
    created_at: datetime


class BundledResource(Model):
    """In a bundle, what one has to know of it; github.listLinked shows more."""

    id: str
    kind: LinkKind
    resource_type: ResourceType
    url: str
    title: str
    state: str
    draft: Omittable[bool] = None
    merged: Omittable[bool] = None
    author: str
    trust: Trust
    last_synced_at: datetime


def resource_view(resource: ResourceItem) -> ResourceView:
    return ResourceView.of(resource, **resource_fields(resource))


def resource_fields(resource: ResourceItem) -> dict[str, object]:
    """Those that a view has besides what stands on the resource itself."""
    is_pull = resource.type is ResourceType.PULL_REQUEST
    metadata = ResourceMetadata(
        author=resource.author,
        created_at=resource.remote_created_at,
        updated_at=resource.remote_updated_at,
        closed_at=resource.closed_at,
        draft=resource.is_draft if is_pull else None,
        merged=resource.is_merged if is_pull else None,
        branch=resource.branch,
        base=resource.base_branch,
    )
    return {"provider": GITHUB, "resource_type": resource.type, "metadata": metadata, "trust": UNTRUSTED}


def link_view(link: LinkItem) -> LinkView:
    return LinkView.of(link, external_resource_id=link.resource_id)


def bundled(link: LinkItem, resource: ResourceItem) -> BundledResource:
    return BundledResource.of(
        resource,
        kind=link.kind,
        resource_type=resource.type,
        draft=resource.is_draft or None,
        merged=resource.is_merged or None,
        trust=UNTRUSTED,
    )
