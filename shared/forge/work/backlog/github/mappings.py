"""Mappings: repositories on GitHub, and how what happens there is taken over."""

from typing import Annotated

from pydantic import Field, StringConstraints

from forge.context import Context
from forge.contract.models import Model
from forge.errors import InvalidInput, NotFound
from forge.store.folding import folded
from forge.work.backlog import repositories
from forge.work.backlog.repositories import Provider, RepositoryItem
from forge.work.issues.issues import Priority

_Id = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=120)]
"""Given as an id or a name, and kept as an id."""
_LabelName = Annotated[str, Field(min_length=1, max_length=100)]


class StatusRules(Model):
    """The status that an issue moves to when something happens on GitHub; without one, it stays."""

    issue_closed_status_id: Annotated[_Id | None, Field(description="The issue was closed.")] = None
    issue_reopened_status_id: Annotated[_Id | None, Field(description="The issue was reopened.")] = None
    pr_opened_status_id: Annotated[_Id | None, Field(description="A pull request was opened.")] = None
    pr_ready_for_review_status_id: Annotated[_Id | None, Field(description="It is ready for review.")] = None
    pr_changes_requested_status_id: Annotated[_Id | None, Field(description="Changes are asked for.")] = None
    pr_merged_status_id: Annotated[_Id | None, Field(description="It was merged.")] = None
    checks_failed_status_id: Annotated[_Id | None, Field(description="Its checks failed.")] = None


class MappingConfig(Model):
    """How what happens on GitHub is taken over."""

    auto_create_issues: Annotated[bool, Field(description="Whether each issue there is made here.")] = False
    sync_title: Annotated[bool, Field(description="Whether titles are copied.")] = True
    sync_description: Annotated[bool, Field(description="Whether texts are copied.")] = False
    sync_comments: Annotated[bool, Field(description="Whether comments are copied.")] = False
    default_project_id: Annotated[_Id | None, Field(description="Where imported issues go.")] = None
    default_label_ids: Annotated[list[_Id], Field(max_length=20, description="On what is imported.")] = []
    label_map: Annotated[
        dict[_LabelName, _Id], Field(max_length=100, description="Names of labels there, and labels here.")
    ] = {}
    default_priority: Annotated[Priority, Field(description="Of what is imported.")] = Priority.NONE
    queue_on_create: Annotated[bool, Field(description="Whether what is imported is queued.")] = False
    assigned_agent_id: Annotated[_Id | None, Field(description="Who gets what is imported.")] = None
    claimed_by_id: Annotated[_Id | None, Field(description="Who has claimed what is imported.")] = None
    status_rules: Annotated[StatusRules | None, Field(description="What moves issues.")] = None


def config_of(repository: RepositoryItem) -> MappingConfig:
    """What another build knows besides is left alone."""
    known = repository.config
    labels = {name: one for name, one in known.get("label_map", {}).items() if isinstance(one, str)}
    return MappingConfig.model_validate({**known, "label_map": labels}, extra="ignore")


def is_active(repository: RepositoryItem) -> bool:
    return repository.provider is Provider.GITHUB and not repository.paused


def get(ctx: Context, mapping_id: str | None, full_name: str | None) -> RepositoryItem:
    """The active mapping that is meant: by its id, or by the name of its repository."""
    found = _find(ctx, mapping_id, full_name)
    if mapping_id and found and full_name and not is_named(found, full_name):
        raise NotFound(
            f"The mapping {mapping_id[:200]!r} is of {found.full_name}, and not of {full_name[:200]!r}.",
            hint="Leave mappingId out, or give that of the other repository: github.listMappings shows it.",
        )
    if found is None or not is_active(found):
        raise NotFound(
            f"There is no active mapping of {(mapping_id or full_name or '')[:200]!r} to GitHub.",
            hint="github.listMappings shows them; an admin registers others with repositories.register.",
        )
    return found


def is_named(repository: RepositoryItem, full_name: str) -> bool:
    return folded(repository.full_name) == folded(full_name)


def _find(ctx: Context, mapping_id: str | None, full_name: str | None) -> RepositoryItem | None:
    workspace_id = ctx.caller.workspace_id
    if mapping_id and "/" not in mapping_id:
        return repositories.find(ctx.table, workspace_id, mapping_id)
    if name := mapping_id or full_name:
        return repositories.find_by_name(ctx.table, workspace_id, name)
    wrong = "Give mappingId or repoFullName."
    raise InvalidInput("Say which repository is meant.", issues={"mappingId": wrong, "repoFullName": wrong})
