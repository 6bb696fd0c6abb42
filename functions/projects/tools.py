"""The projects' tools."""

from forge.auth.narrowing import allows_project, require_project
from forge.context import Caller, Context
from forge.contract.effects import FILTERED, Cost
from forge.contract.models import Page
from forge.contract.questions import require_confirmed
from forge.contract.terms import Scope
from forge.contract.tools import Namespace
from forge.errors import Forbidden, InvalidInput
from forge.store.pages import read_page
from forge.store.walks import one_partition
from forge.work.content.cycles.views import ProjectView, project_view
from forge.work.issues import counts
from forge.work.issues.pages.listing import Pager
from forge.work.workspace import workspaces
from forge.work.workspace.projects import projects
from forge.work.workspace.projects.projects import (
    PROJECT_CREATED,
    PROJECT_UPDATED,
    PROJECTS_LISTED,
    ProjectItem,
)
from functions.projects import rules
from functions.projects.models import ArchiveProject, CreateProject, ListProjects, UpdateProject

namespace = Namespace(
    "projects",
    "See and keep the projects that issues belong to.",
    reads=[Scope.READ_PROJECTS],
    writes=[Scope.WRITE_PROJECTS],
)


@namespace.reads(
    costs=Cost(reads=1).up_to(reads=3, because=FILTERED),
    asks=["what projects are there", "overview of projects"],
)
def list(request: ListProjects, ctx: Context) -> Page[ProjectView]:
    """List the projects of the workspace, the one that changed last first.

    Use the ids wherever a tool takes projectId. Archived ones are left out unless you ask for them. Pass
    nextCursor as cursor for more; `truncated` means that more may follow although the page is short.
    Example: {"limit": 20}
    """
    pager = Pager(Page[ProjectView], request.fields)
    listing = one_partition(PROJECTS_LISTED(ctx.caller.workspace_id), "updated", is_descending=True)

    def accepts(project: ProjectItem) -> bool:
        is_wanted = request.include_archived or not project.archived
        return is_wanted and allows_project(ctx.caller.narrowing, project.id)

    found = read_page(ctx.table, ProjectItem, listing, request, accepts=accepts)
    return pager.page(found, project_view)


@namespace.writes(
    costs=Cost(reads=0, writes=1, items=6),
    emits=[PROJECT_CREATED],
    asks=["start a project", "found a project", "begin a project"],
)
def create(request: CreateProject, ctx: Context) -> ProjectView:
    """Create a project and return it.

    A key that exists is a conflict, even an archived project's: look with projects.list first. To change a
    project, use projects.update. An API key that is narrowed to projects is refused.
    Example: {"key": "SITE", "name": "Website", "targetDate": "2027-03-31"}
    """
    caller, now = ctx.caller, ctx.now()
    _require_no_project_narrowing(caller)
    project = ProjectItem(
        workspace_id=caller.workspace_id,
        id=ctx.new_id("prj"),
        project_key=request.key,
        created_by_id=caller.user_id,
        created_by_agent_id=caller.agent_id,
        created_at=now,
        updated_at=now,
        **request.model_dump(exclude={"key"}),
    )
    _require_dates_in_order(project, blamed="targetDate")
    tx = ctx.plan()
    projects.add(tx, project)
    return project_view(project)


@namespace.writes(
    idempotent=True,
    costs=Cost(reads=1, writes=1, items=6),
    emits=[PROJECT_UPDATED],
    asks=["give a project another name or lead", "extend the target date of a project"],
)
def update(request: UpdateProject, ctx: Context) -> ProjectView:
    """Change a project and return it; what is left out stays, `clear` empties fields.

    {"archived": false} brings an archived project back. The key of a project can't be changed. A targetDate
    before the startDate is refused.
    Example: {"id": "prj_01J…", "name": "New website", "clear": ["targetDate"]}
    """
    project = _get(ctx, request.id)
    changed = project.changed(**request.given())
    if changed == project:
        return project_view(project)
    _require_dates_in_order(changed, blamed="targetDate" if request.target_date else "startDate")
    tx = ctx.plan()
    saved = projects.save(tx, project, changed)
    return project_view(saved)


@namespace.writes(
    idempotent=True,
    costs=Cost(reads=1, writes=1, items=4).up_to(reads=3, because="a client that can ask is asked back"),
    emits=[PROJECT_UPDATED],
    asks=["end a project", "a project is over", "a project is done", "wind up a project"],
    confirms="issues of it are open",
)
def archive(request: ArchiveProject, ctx: Context) -> ProjectView:
    """Archive a project and return it: projects.list leaves it out, its issues stay as they are.

    Archiving it again does no harm. To bring it back, use projects.update with {"archived": false}.
    Example: {"id": "prj_01J…"}
    """
    project = _get(ctx, request.id)
    if project.archived:
        return project_view(project)
    tx = ctx.plan()
    saved = projects.save(tx, project, project.changed(archived=True), action="archive")
    require_confirmed(ctx, request.confirm, lambda: _question(ctx, project))
    return project_view(saved)


def _question(ctx: Context, project: ProjectItem) -> str:
    statuses = workspaces.get(ctx.table, ctx.caller.workspace_id).statuses
    counted = counts.read_statuses(ctx.table, ctx.caller.workspace_id, project.id)
    return rules.question(project, statuses, counted, is_partial=bool(ctx.caller.narrowing.label_ids))


def _get(ctx: Context, project_id: str) -> ProjectItem:
    """Looked up before the narrowing is: what is not there is not found, whatever the key."""
    project = projects.get(ctx.table, ctx.caller.workspace_id, project_id)
    require_project(ctx.caller, project.id)
    return project


def _require_no_project_narrowing(caller: Caller) -> None:
    """Or a key could make what it may not see afterwards."""
    if caller.narrowing.project_ids:
        raise Forbidden(
            "This key is narrowed to projects that exist, so it can't make another.",
            hint="Use a key without projectIds, or ask an admin to create the project.",
        )


def _require_dates_in_order(project: ProjectItem, *, blamed: str) -> None:
    if project.start_date and project.target_date and project.target_date < project.start_date:
        raise InvalidInput(
            "A project can't be due before it begins.",
            issues={blamed: "The targetDate must not be before the startDate."},
        )
