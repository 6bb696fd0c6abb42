"""Things on GitHub, as values."""

from typing import Any

from forge.testing.builders import WORKSPACE_ID
from forge.testing.clock import NOON
from forge.work.backlog.github import resources
from forge.work.backlog.github.resources import ResourceItem, ResourceType, Snapshot
from forge.work.backlog.repositories import Provider, RepositoryItem


def a_mapping(**fields: Any) -> RepositoryItem:
    usual = {
        "workspace_id": WORKSPACE_ID,
        "id": "repo_1",
        "full_name": "acme/app",
        "provider": Provider.GITHUB,
        "secret": "whsec_1",
        "created_at": NOON,
        "updated_at": NOON,
    }
    return RepositoryItem.model_validate(usual | fields)


def a_snapshot(kind: ResourceType = ResourceType.ISSUE, **fields: Any) -> Snapshot:
    usual = Snapshot(
        type=kind,
        number=1,
        url="https://github.com/acme/app/issues/1",
        title="Login hangs",
        body="",
        state="open",
        labels=(),
        assignees=(),
        author="octocat",
        remote_created_at=NOON,
        remote_updated_at=NOON,
        closed_at=None,
    )
    return usual._replace(**fields)


def a_resource(kind: ResourceType = ResourceType.ISSUE, **fields: Any) -> ResourceItem:
    return resources.first_seen(a_mapping(), a_snapshot(kind, **fields), NOON)
