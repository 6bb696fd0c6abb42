"""Issues and pull requests on GitHub, as they were when somebody last looked."""

from base64 import b32encode
from datetime import datetime
from enum import StrEnum
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from forge.store.folding import folded
from forge.store.items import Item
from forge.store.keys import At, Partition
from forge.work.backlog.github.foreign_texts import in_one_line

if TYPE_CHECKING:
    # Whoever shows an issue shows what it is linked with, and starts without what only asks GitHub.
    from forge.github.records import GitHubIssue, GitHubPull, GitHubThing
    from forge.work.backlog.repositories import RepositoryItem

GITHUB = "github"
"""The provider."""

MAX_TITLE = 300
_MAX_NAME = 100
_MAX_NAMES = 50


class ResourceType(StrEnum):
    ISSUE = "ISSUE"
    PULL_REQUEST = "PULL_REQUEST"


class Snapshot(NamedTuple):
    """What GitHub says of an issue or a pull request; texts are bounded, and hold nothing that is no text."""

    type: ResourceType
    number: int
    url: str
    title: str
    body: str
    state: str
    """open or closed."""
    labels: tuple[str, ...]
    assignees: tuple[str, ...]
    author: str
    remote_created_at: datetime
    remote_updated_at: datetime
    closed_at: datetime | None
    is_draft: bool = False
    is_merged: bool = False
    branch: str | None = None
    base_branch: str | None = None

    @property
    def is_open(self) -> bool:
        return self.state == "open"


OF_RESOURCE = Partition("WS#{workspace_id}#RESOURCE#{resource_id}")
"""An issue or a pull request on GitHub, and which issues are linked to it."""


class ResourceItem(Item):
    stored = At(OF_RESOURCE, "META", resource_id="id")

    workspace_id: str
    id: str
    repository_id: str
    """The mapping by which it was last seen."""
    repo_full_name: str
    type: ResourceType
    number: int
    url: str
    title: str
    state: str
    labels: list[str] = []
    assignees: list[str] = []
    author: str
    is_draft: bool = False
    is_merged: bool = False
    branch: str | None = None
    base_branch: str | None = None
    remote_created_at: datetime
    remote_updated_at: datetime
    closed_at: datetime | None = None
    source_issue_id: str | None = None
    """The issue that was imported from this resource, or first declared to be; another import finds it."""
    created_at: datetime
    last_synced_at: datetime

    @property
    def is_open(self) -> bool:
        return self.state == "open"

    def seen_again(self, repository: "RepositoryItem", snapshot: Snapshot, now: datetime) -> "ResourceItem":
        return self.changed(repository_id=repository.id, last_synced_at=now, **_fields(snapshot))

    def differs_from(self, other: "ResourceItem") -> bool:
        """In more than when somebody looked."""
        return self.changed(last_synced_at=other.last_synced_at) != other


def resource_id(workspace_id: str, full_name: str, kind: ResourceType, number: int) -> str:
    """The same for the same thing, so that nothing is there twice and nothing has to be looked up."""
    name = f"{workspace_id}|github|{folded(full_name)}|{kind}|{number}"
    return "ext_" + b32encode(sha256(name.encode()).digest())[:26].decode()


def first_seen(repository: "RepositoryItem", snapshot: Snapshot, now: datetime) -> ResourceItem:
    return ResourceItem(
        workspace_id=repository.workspace_id,
        id=resource_id(repository.workspace_id, repository.full_name, snapshot.type, snapshot.number),
        repository_id=repository.id,
        repo_full_name=repository.full_name,
        created_at=now,
        last_synced_at=now,
        **_fields(snapshot),
    )


def snapshot_of_issue(issue: "GitHubIssue") -> Snapshot:
    return Snapshot(ResourceType.ISSUE, **_in_common(issue))


def snapshot_of_pull(pull: "GitHubPull") -> Snapshot:
    return Snapshot(
        ResourceType.PULL_REQUEST,
        **_in_common(pull),
        is_draft=pull.is_draft,
        is_merged=pull.is_merged,
        branch=in_one_line(pull.branch, _MAX_NAME * 2),
        base_branch=in_one_line(pull.base, _MAX_NAME * 2),
    )


def _in_common(given: "GitHubThing") -> dict[str, Any]:
    return {
        "number": given.number,
        "url": given.url[:2048],
        "title": in_one_line(given.title, MAX_TITLE) or f"#{given.number}",
        "body": given.body,
        "state": "open" if given.state == "open" else "closed",
        "labels": _names(given.labels),
        "assignees": _names(given.assignees),
        "author": in_one_line(given.author, _MAX_NAME),
        "remote_created_at": given.created_at,
        "remote_updated_at": given.updated_at,
        "closed_at": given.closed_at,
    }


def _names(given: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(in_one_line(name, _MAX_NAME) for name in given[:_MAX_NAMES])


def _fields(snapshot: Snapshot) -> dict[str, object]:
    """All but the text, which only an issue keeps."""
    fields = snapshot._asdict() | {"labels": [*snapshot.labels], "assignees": [*snapshot.assignees]}
    del fields["body"]
    return fields
