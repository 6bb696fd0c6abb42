"""Repositories: what has a backlog, and who keeps its issues, this product or GitHub."""

from datetime import datetime
from enum import StrEnum
from typing import Any

from forge.errors import NotFound
from forge.store.folding import folded
from forge.store.followers import follow
from forge.store.items import DerivedItem, Item, Part
from forge.store.keys import At, Key, Partition
from forge.store.table import Table
from forge.store.transactions import Transaction
from forge.work.workspace import taken_names
from forge.work.workspace.taken_names import NameItem
from forge.work.workspace.workspaces import KeptBacklog, WorkspaceItem

MAX_REPOSITORIES = 200
_KIND = "REPOSITORY"


class Provider(StrEnum):
    NATIVE = "native"
    GITHUB = "github"


class Connection(Part):
    """How the issues of a repository elsewhere are reached."""

    installation_id: str | None = None
    token_secret_arn: str | None = None
    base_url: str | None = None


REPOSITORIES = Partition("WS#{workspace_id}#REPOSITORIES")


class RepositoryItem(Item):
    stored = At(REPOSITORIES, "{id}")

    workspace_id: str
    id: str
    full_name: str
    provider: Provider
    read_only: bool = False
    paused: bool = False
    """Whether nothing of it is taken over from GitHub for now."""
    project_id: str | None = None
    default_branch: str = "main"
    connection: Connection | None = None
    config: dict[str, Any] = {}
    secret: str
    """Signs what the provider sends us."""
    created_at: datetime
    updated_at: datetime

    @property
    def name_owner(self) -> taken_names.Owner:
        return taken_names.Owner(self.workspace_id, _KIND, self.id, field="fullName")

    @property
    def keeps_project(self) -> str | None:
        """The project whose issues are its backlog."""
        return self.project_id if self.provider is Provider.NATIVE else None


class MappingItem(DerivedItem):
    """Leads from the id of a repository on GitHub to its workspace: a webhook knows nothing else."""

    stored = At(Partition("MAPPING#{id}", outside="GitHub's webhooks bring no key"), "MAPPING")

    id: str
    workspace_id: str


def get(table: Table, workspace_id: str, repository_id: str) -> RepositoryItem:
    missing = NotFound(
        f"There is no repository {repository_id[:60]!r}.", hint="repositories.list shows them."
    )
    return table.get(RepositoryItem, RepositoryItem.at(workspace_id, repository_id), missing=missing)


def find(table: Table, workspace_id: str, repository_id: str) -> RepositoryItem | None:
    return table.find(RepositoryItem, RepositoryItem.at(workspace_id, repository_id))


def find_by_name(table: Table, workspace_id: str, full_name: str) -> RepositoryItem | None:
    """In whatever case it is written; two requests."""
    taken = table.find(NameItem, name_key(workspace_id, full_name))
    if taken is None:
        return None
    return find(table, workspace_id, taken.owner_id)


def find_mapped(table: Table, repository_id: str) -> RepositoryItem | None:
    """By the id alone, in whatever workspace it is; two requests."""
    mapping = table.find(MappingItem, MappingItem.at(repository_id))
    return find(table, mapping.workspace_id, repository_id) if mapping else None


def list_all(table: Table, workspace_id: str) -> list[RepositoryItem]:
    """By name. Some more than there may be: two who add the last one at once both succeed."""
    rows = table.query_all(REPOSITORIES(workspace_id), most=MAX_REPOSITORIES + 100)
    return sorted(rows.of(RepositoryItem), key=lambda one: folded(one.full_name))


def name_key(workspace_id: str, full_name: str) -> Key:
    return NameItem.of_name(workspace_id, _KIND, full_name)


def add(tx: Transaction, repository: RepositoryItem) -> None:
    tx.create(repository)
    follow(tx, (), follows(repository))
    taken_names.take(tx, repository.name_owner, repository.full_name)


def follows(repository: RepositoryItem) -> list[MappingItem]:
    """By which GitHub's webhooks, which bring no key, find its workspace."""
    if repository.provider is not Provider.GITHUB:
        return []
    return [MappingItem(id=repository.id, workspace_id=repository.workspace_id)]


def remove(tx: Transaction, repository: RepositoryItem) -> None:
    tx.delete(repository)
    follow(tx, follows(repository), ())
    taken_names.free(tx, repository.name_owner, repository.full_name)


def kept_with(workspace: WorkspaceItem, repository: RepositoryItem) -> list[KeptBacklog]:
    """Which project keeps which backlog, once the repository is as given."""
    project_id = repository.keeps_project
    own = [KeptBacklog(project_id=project_id, repository_id=repository.id)] if project_id else []
    if own and workspace.backlog_projects.get(own[0].project_id) == repository.id:
        return workspace.kept_backlogs
    return [*(one for one in workspace.kept_backlogs if one.repository_id != repository.id), *own]
