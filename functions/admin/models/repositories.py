"""Repositories, as operators register and see them."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import Field

from forge.contract.clearing import Changes, Clearable
from forge.contract.fields import ProjectRef
from forge.contract.models import Model, Omittable
from forge.work.backlog.repositories import Provider, RepositoryItem
from forge.work.issues.issues import Priority

FullName = Annotated[
    str,
    Field(
        # Neither part is a dot or two, which would lead elsewhere in a path.
        pattern=r"^\.?[A-Za-z0-9_-][A-Za-z0-9._-]{0,98}/\.?[A-Za-z0-9_-][A-Za-z0-9._-]{0,98}$",
        max_length=200,
        description="owner/repo, in any case.",
    ),
]
Id = Annotated[str, Field(min_length=1, max_length=40)]
LabelName = Annotated[str, Field(min_length=1, max_length=100)]


class StatusRules(Model):
    """The status that an issue moves to when something happens on GitHub; without one, it stays."""

    issue_closed_status_id: Annotated[Id | None, Field(description="The issue was closed.")] = None
    issue_reopened_status_id: Annotated[Id | None, Field(description="The issue was reopened.")] = None
    pr_opened_status_id: Annotated[Id | None, Field(description="A pull request was opened.")] = None
    pr_ready_for_review_status_id: Annotated[Id | None, Field(description="It is ready for review.")] = None
    pr_changes_requested_status_id: Annotated[Id | None, Field(description="Changes are asked for.")] = None
    pr_merged_status_id: Annotated[Id | None, Field(description="It was merged.")] = None
    checks_failed_status_id: Annotated[Id | None, Field(description="Its checks failed.")] = None


class MappingConfig(Model):
    """How what happens on GitHub is taken over."""

    auto_create_issues: Annotated[bool, Field(description="Whether each issue there is made here.")] = False
    sync_title: Annotated[bool, Field(description="Whether titles are copied.")] = True
    sync_description: Annotated[bool, Field(description="Whether texts are copied.")] = False
    sync_comments: Annotated[bool, Field(description="Whether comments are copied.")] = False
    default_project_id: Annotated[Id | None, Field(description="Where imported issues go.")] = None
    default_label_ids: Annotated[list[Id], Field(max_length=20, description="On what is imported.")] = []
    label_map: Annotated[
        dict[LabelName, Id], Field(max_length=100, description="Names of labels there, and ids here.")
    ] = {}
    default_priority: Annotated[Priority, Field(description="Of what is imported.")] = Priority.NONE
    queue_on_create: Annotated[bool, Field(description="Whether what is imported is queued.")] = False
    assigned_agent_id: Annotated[Id | None, Field(description="Who gets what is imported.")] = None
    claimed_by_id: Annotated[Id | None, Field(description="Who has claimed what is imported.")] = None
    status_rules: Annotated[StatusRules | None, Field(description="What moves issues.")] = None


class ConnectionOrder(Model):
    installation_id: Annotated[str | None, Field(max_length=40, description="Of the GitHub App.")] = None
    token_secret_arn: Annotated[
        str | None,
        Field(max_length=2048, description="The secret of a token, named forge/github/{workspaceId}/…"),
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
    project_id: Omittable[str]
    connection: Omittable[ConnectionOrder]
    config: Omittable[MappingConfig]
    created_at: datetime
    updated_at: datetime


class NewRepository(RepositoryView):
    webhook_secret: str


class Repositories(Model):
    data: list[RepositoryView]


class RemovedRepository(Model):
    id: str
    full_name: str
    removed: bool = True


def repository_view(repository: RepositoryItem, *, default_id: str | None) -> RepositoryView:
    return RepositoryView(**view_fields(repository, default_id=default_id))


def view_fields(repository: RepositoryItem, *, default_id: str | None) -> dict[str, Any]:
    kept = repository.model_dump(include=set(RepositoryView.model_fields))
    config = MappingConfig.model_validate(repository.config, extra="ignore") if repository.config else None
    return kept | {"default": repository.id == default_id, "config": config}
