"""What is told of issues because of GitHub."""

from forge.contract.effects import Emission, Told
from forge.work.backlog.github.links import LinkKind
from forge.work.backlog.github.resources import GITHUB, ResourceItem, ResourceType
from forge.work.issues.announcements import ISSUE
from forge.work.record.log.kinds import EventKind


class ResourceLinked(Told):
    source: str
    change: str
    external_resource_id: str
    link_kind: LinkKind
    resource_type: ResourceType
    repo: str
    number: int
    url: str


class ResourceSynced(Told):
    """`title` and the beginning of `description` where GitHub's were taken over."""

    source: str
    change: str
    external_resource_id: str
    repo: str
    number: int
    title: str | None = None
    description: str | None = None


RESOURCE_LINKED = Emission(EventKind.ISSUE_UPDATED, ISSUE, ResourceLinked)
RESOURCE_SYNCED = Emission(EventKind.ISSUE_UPDATED, ISSUE, ResourceSynced)


def linked(resource: ResourceItem, kind: LinkKind) -> ResourceLinked:
    return ResourceLinked(
        source=GITHUB,
        change="external-resource-linked",
        external_resource_id=resource.id,
        link_kind=kind,
        resource_type=resource.type,
        repo=resource.repo_full_name,
        number=resource.number,
        url=resource.url,
    )


def synced(resource: ResourceItem, **taken_over: str) -> ResourceSynced:
    return ResourceSynced(
        source=GITHUB,
        change="external-resource-synced",
        external_resource_id=resource.id,
        repo=resource.repo_full_name,
        number=resource.number,
        **taken_over,
    )
