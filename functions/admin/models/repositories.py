"""Repositories, as operators register and see them."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import Field

from forge.contract.clearing import Changes, Clearable
from forge.contract.fields import ProjectRef
from forge.contract.models import Model, Omittable
from forge.work.backlog.github.mappings import MappingConfig, config_of
from forge.work.backlog.repositories import Provider, RepositoryItem

FullName = Annotated[
    str,
    Field(
        # Neither part is a dot or two, which would lead elsewhere in a path.
        pattern=r"^\.?[A-Za-z0-9_-][A-Za-z0-9._-]{0,98}/\.?[A-Za-z0-9_-][A-Za-z0-9._-]{0,98}$",
        max_length=200,
        description="owner/repo, in any case.",
    ),
]


class ConnectionOrder(Model):
    installation_id: Annotated[str | None, Field(max_length=40, description="Of the GitHub App.")] = None
    token_secret_arn: Annotated[
        str | None,
        Field(
            max_length=2048, description="The secret of a token, named forge/{stack}/github/{workspaceId}/…"
        ),
    ] = None
    base_url: Annotated[
        str | None, Field(max_length=2048, description="Of the API, for a GitHub of one's own.")
    ] = None


class RegisterRepository(Model):
    full_name: FullName
    provider: Annotated[Provider, Field(description="native keeps the issues here.")]
    read_only: Annotated[bool, Field(description="Whether the backlog may only be looked at.")] = False
    default: Annotated[bool, Field(description="Whether it is meant where none is named.")] = False
    project_id: Annotated[
        ProjectRef | None, Field(description="Keeps the issues of a native one; made if left out.")
    ] = None
    connection: Annotated[ConnectionOrder | None, Field(description="How GitHub is reached.")] = None
    config: Annotated[MappingConfig | None, Field(description="For GitHub: what is taken over.")] = None


class ListRepositories(Model):
    pass


class UpdateRepository(Changes):
    id: Annotated[str, Field(min_length=1, max_length=40, description="The repository's id.")]
    read_only: Annotated[bool | None, Field(description="Whether it may only be looked at.")] = None
    default: Annotated[bool | None, Field(description="Whether it is meant where none is named.")] = None
    paused: Annotated[bool | None, Field(description="Whether GitHub is left alone for now.")] = None
    project_id: Annotated[ProjectRef | None, Field(description="The project that keeps its issues.")] = None
    connection: Annotated[
        ConnectionOrder | None, Clearable(), Field(description="How GitHub is reached.")
    ] = None
    config: Annotated[MappingConfig | None, Field(description="Instead of what it was.")] = None


class RemoveRepository(Model):
    full_name: FullName


class RepositoryView(Model):
    id: str
    full_name: str
    provider: Provider
    read_only: bool
    default: bool
    paused: Omittable[bool] = None
    project_id: Omittable[str]
    connection: Omittable[ConnectionOrder]
    config: Omittable[MappingConfig]
    created_at: datetime
    updated_at: datetime


class NewRepository(RepositoryView):
    webhook_secret: str
    webhook_url: Annotated[Omittable[str], Field(description="Where GitHub sends its webhooks.")] = None


class RemovedRepository(Model):
    id: str
    full_name: str
    removed: bool = True


def repository_view(repository: RepositoryItem, *, default_id: str | None) -> RepositoryView:
    return RepositoryView(**view_fields(repository, default_id=default_id))


def view_fields(repository: RepositoryItem, *, default_id: str | None) -> dict[str, Any]:
    kept = repository.model_dump(include=set(RepositoryView.model_fields))
    config = config_of(repository) if repository.config else None
    paused = repository.paused or None
    return kept | {"default": repository.id == default_id, "paused": paused, "config": config}
