"""Repositories: what has a backlog, and who keeps its issues."""

import re
from secrets import token_urlsafe
from typing import Any

from forge.context import Context
from forge.contract.effects import Cost
from forge.contract.models import FullList
from forge.contract.references import Kind
from forge.errors import Conflict, NotFound, PreconditionFailed
from forge.store.followers import follow
from forge.store.transactions import Transaction
from forge.work.backlog import known_labels, repositories
from forge.work.backlog.repositories import MAX_REPOSITORIES, Connection, Provider, RepositoryItem
from forge.work.content.references.resolving import ids_there
from forge.work.issues.backlog_rows import rows
from forge.work.record import links
from forge.work.record.log import events
from forge.work.workspace import workspaces
from forge.work.workspace.meanings import unknown
from forge.work.workspace.projects import projects
from forge.work.workspace.projects.projects import PROJECT_CREATED, ProjectItem
from forge.work.workspace.workspaces import WorkspaceItem
from functions.admin.models.repositories import (
    ListRepositories,
    NewRepository,
    RegisterRepository,
    RemovedRepository,
    RemoveRepository,
    RepositoryView,
    UpdateRepository,
    repository_view,
    view_fields,
)
from functions.admin.rules.repositories import named_in, require_usable, with_ids
from functions.admin.tools import namespace


@namespace.writes(
    secrets=["webhook_secret"],
    name="repositories.register",
    lasting=True,
    costs=Cost(reads=5, writes=1, items=41).up_to(reads=8, items=50, because="names are looked up"),
    emits=[PROJECT_CREATED],
)
def register(request: RegisterRepository, ctx: Context) -> NewRepository:
    """Register a repository, so that it has a backlog; `webhookSecret` is in this answer and nowhere else.

    The issues of a native one are those of its project, a new one if none is named; those that are there
    already come into the backlog within minutes. A name that exists, in any case, is a conflict.
    Example: {"fullName": "demo/app", "provider": "native", "default": true}
    """
    workspace = workspaces.get(ctx.table, ctx.caller.workspace_id)
    known = repositories.list_all(ctx.table, workspace.id)
    if len(known) >= MAX_REPOSITORIES:
        raise PreconditionFailed(
            f"A workspace has at most {MAX_REPOSITORIES} repositories.", hint="Remove one first."
        )
    is_native = request.provider is Provider.NATIVE
    project = _project(ctx, workspace, request.project_id) if request.project_id else None
    made = _new_project(ctx, request.full_name) if is_native and project is None else None
    keeper = project or made
    repository = RepositoryItem(
        workspace_id=workspace.id,
        id=ctx.new_id("repo"),
        project_id=keeper.id if keeper else None,
        connection=_connection(ctx, workspace, request),
        config=_config(ctx, workspace, request) or {},
        secret=f"whsec_{token_urlsafe(32)}",
        created_at=ctx.now(),
        updated_at=ctx.now(),
        **request.model_dump(include={"full_name", "provider", "read_only"}),
    )
    tx = ctx.plan()
    if made:
        projects.add(tx, made)
    named = known_labels.make_missing(ctx, tx, workspace) if is_native else workspace.known_labels
    repositories.add(tx, repository)
    default_id = repository.id if request.default else workspace.default_repository_id
    after = workspace.changed(known_labels=named, default_repository_id=default_id)
    _settle(tx, workspace, repository, after, has_issues=project is not None)
    events.record_change(tx, "repository", repository.id, action="register", after=repository)
    fields = view_fields(repository, default_id=default_id)
    url = None if is_native else links.webhook_url(ctx, repository.id)
    return NewRepository(**fields, webhook_secret=repository.secret, webhook_url=url)


@namespace.reads(name="repositories.list", costs=Cost(reads=2))
def list(request: ListRepositories, ctx: Context) -> FullList[RepositoryView]:
    """List the workspace's repositories by name, and which of them is meant where none is named.

    Example: {}
    """
    workspace = workspaces.get(ctx.table, ctx.caller.workspace_id)
    found = repositories.list_all(ctx.table, workspace.id)
    return FullList[RepositoryView](
        data=[repository_view(one, default_id=workspace.default_repository_id) for one in found]
    )


@namespace.writes(
    idempotent=True,
    name="repositories.update",
    lasting=("connection",),
    costs=Cost(reads=3, writes=1, items=5).up_to(reads=7, items=6, because="names are looked up"),
)
def update(request: UpdateRepository, ctx: Context) -> RepositoryView:
    """Change a repository and return it; what is left out stays. The name and the provider can't be changed.

    With another project, its issues are the backlog within minutes.
    Example: {"id": "repo_01J…", "readOnly": true}
    """
    workspace = workspaces.get(ctx.table, ctx.caller.workspace_id)
    before = repositories.get(ctx.table, workspace.id, request.id)
    given = request.given()
    is_default = given.pop("default", None)
    if given.get("project_id") and given["project_id"] != before.project_id:
        _project(ctx, workspace, given["project_id"])
    elsewhere = {"id", "clear", "config"}
    after = before.changed(**{name: value for name, value in given.items() if name not in elsewhere})
    if request.connection:
        after = after.changed(connection=_connection(ctx, workspace, request))
    if (config := _config(ctx, workspace, request)) is not None:
        after = after.changed(config=config)
    default_id = _default_after(workspace, before.id, is_default=is_default)
    if after == before and default_id == workspace.default_repository_id:
        return repository_view(before, default_id=default_id)
    after = after.changed(updated_at=ctx.now())
    tx = ctx.plan()
    tx.replace(after)
    follow(tx, (), repositories.follows(after))
    has_moved = after.keeps_project != before.keeps_project
    settings = workspace.changed(default_repository_id=default_id)
    _settle(tx, workspace, after, settings, has_issues=has_moved)
    events.record_change(tx, "repository", after.id, action="update", before=before, after=after)
    return repository_view(after, default_id=default_id)


@namespace.writes(
    destructive=True,
    name="repositories.remove",
    costs=Cost(reads=3, writes=1, items=6).up_to(items=7, because="what GitHub finds it by goes with it"),
)
def remove(request: RemoveRepository, ctx: Context) -> RemovedRepository:
    """Remove a repository: it has no backlog any more. Its project and its issues stay as they are.

    Locks in it end when they expire, and their issues are free then. Example: {"fullName": "demo/app"}
    """
    workspace = workspaces.get(ctx.table, ctx.caller.workspace_id)
    repository = repositories.find_by_name(ctx.table, workspace.id, request.full_name)
    if repository is None:
        raise NotFound(f"There is no repository {request.full_name!r}.", hint="repositories.list shows them.")
    tx = ctx.plan()
    repositories.remove(tx, repository)
    default_id = _default_after(workspace, repository.id, is_default=False)
    gone = repository.changed(project_id=None)
    settings = workspace.changed(default_repository_id=default_id)
    _settle(tx, workspace, gone, settings, has_issues=repository.keeps_project is not None)
    events.record_change(tx, "repository", repository.id, action="remove", before=repository)
    return RemovedRepository(id=repository.id, full_name=repository.full_name)


def _settle(
    tx: Transaction,
    before: WorkspaceItem,
    repository: RepositoryItem,
    after: WorkspaceItem,
    *,
    has_issues: bool,
) -> None:
    """The settings say which project keeps which backlog; issues that are there come into their places."""
    changed = after.changed(kept_backlogs=repositories.kept_with(before, repository))
    if changed != before:
        tx.replace(changed)
    if has_issues:
        rows.settle_later(tx)


def _default_after(workspace: WorkspaceItem, repository_id: str, *, is_default: bool | None) -> str | None:
    known = workspace.default_repository_id
    if is_default is None:
        return known
    if is_default:
        return repository_id
    return None if known == repository_id else known


def _project(ctx: Context, workspace: WorkspaceItem, project_id: str) -> ProjectItem:
    """A project keeps one backlog: otherwise an issue would be in two."""
    try:
        project = projects.get(ctx.table, workspace.id, project_id)
    except NotFound:
        raise unknown(Kind.PROJECT, "projectId", project_id) from None
    if project.id in workspace.backlog_projects:
        raise Conflict(
            "This project keeps the backlog of another repository.", hint="Choose another project."
        )
    return project


def _new_project(ctx: Context, full_name: str) -> ProjectItem:
    """Named like the repository; its key ends in letters of its own, because keys are unique."""
    project_id, now = ctx.new_id("prj"), ctx.now()
    letters = re.sub(r"[^A-Z0-9]", "", full_name.partition("/")[2].upper())[:2]
    ending = re.sub(r"[^A-Z0-9]", "", project_id.upper())[-6:]
    return ProjectItem(
        workspace_id=ctx.caller.workspace_id,
        id=project_id,
        project_key=f"{letters}{ending}",
        name=full_name,
        created_by_id=ctx.caller.user_id,
        created_by_agent_id=ctx.caller.agent_id,
        created_at=now,
        updated_at=now,
    )


def _connection(
    ctx: Context, workspace: WorkspaceItem, request: RegisterRepository | UpdateRepository
) -> Connection | None:
    if request.connection is None:
        return None
    services = ctx.services
    require_usable(
        request.connection,
        workspace,
        secrets_root=services.store.secrets.root,
        own_machine=services.own_machine,
    )
    return Connection(**request.connection.model_dump())


def _config(
    ctx: Context, workspace: WorkspaceItem, request: RegisterRepository | UpdateRepository
) -> dict[str, Any] | None:
    """As it is kept: with ids of things that are there, whatever they were called."""
    if request.config is None:
        return None
    named = named_in(request.config)
    ids = ids_there(ctx, named) if named else {}
    return with_ids(request.config, ids, workspace).model_dump(mode="json")
