"""The initiatives' tools."""

from forge.auth.narrowing import allows_initiative, allows_project, require_initiative, require_project
from forge.context import Caller, Context
from forge.contract.effects import FILTERED, Cost
from forge.contract.models import Page
from forge.contract.references import Kind
from forge.contract.terms import Scope
from forge.contract.tools import Namespace
from forge.errors import Forbidden, InvalidInput
from forge.store.pages import Portion, read_page
from forge.store.walks import one_partition
from forge.work.content.cycles import initiatives
from forge.work.content.cycles.initiatives import INITIATIVES_LISTED, InitiativeItem
from forge.work.content.cycles.views import ProjectView, project_view
from forge.work.issues.pages import sizes
from forge.work.issues.pages.listing import Pager
from forge.work.workspace.meanings import unknown
from forge.work.workspace.projects import projects
from forge.work.workspace.projects.projects import (
    INITIATIVE_UPDATED,
    PROJECT_COUNT,
    PROJECT_UPDATED,
    PROJECTS_OF_INITIATIVE,
    ProjectItem,
)
from functions.initiatives.models import (
    CreateInitiative,
    GetInitiative,
    InitiativeRow,
    InitiativeView,
    InitiativeWithProjects,
    LinkProject,
    ListInitiatives,
    ProjectOfInitiative,
    UnlinkProject,
    UpdateInitiative,
)

namespace = Namespace(
    "initiatives",
    "See and keep the initiatives that projects serve.",
    reads=[Scope.READ_PROJECTS],
    writes=[Scope.WRITE_PROJECTS],
)

_MOST_PROJECTS = 100
# What an initiative grows by when it says that projects were left out.
_ROOM_TO_SAY_SO = 30


@namespace.reads(
    costs=Cost(reads=2).up_to(reads=4, because=FILTERED),
    asks=["what initiatives are there", "roadmap of initiatives"],
)
def list(request: ListInitiatives, ctx: Context) -> Page[InitiativeRow]:
    """List the workspace's initiatives in their order, each with how many projects it has.

    Pass nextCursor as cursor for more. For the description and the projects use initiatives.get.
    Example: {"status": "ACTIVE"}
    """
    pager = Pager(Page[InitiativeRow], request.fields)

    def accepts(initiative: InitiativeItem) -> bool:
        is_wanted = request.status in (None, initiative.status)
        return is_wanted and allows_initiative(ctx.caller.narrowing, initiative.id)

    listing = one_partition(INITIATIVES_LISTED(ctx.caller.workspace_id), "updated")
    found = read_page(ctx.table, InitiativeItem, listing, request, accepts=accepts)
    known = ctx.table.read(PROJECT_COUNT(one.workspace_id, one.id) for one in found.items)
    counts = initiatives.counts_in(known, found.items)
    return pager.page(found, lambda one: InitiativeRow.of(one, project_count=counts[one.id]))


@namespace.reads(
    costs=Cost(reads=2).up_to(reads=4, because=FILTERED),
    asks=["show an initiative with its projects", "which projects serve one initiative"],
)
def get(request: GetInitiative, ctx: Context) -> InitiativeWithProjects:
    """Return one initiative with its projects, archived ones too, the one that changed last first.

    At most 100 projects are shown; projectCount says how many there are.
    Example: {"id": "faster-onboarding"}
    """
    initiative, count = _get(ctx, request.id)
    siblings = PROJECTS_OF_INITIATIVE(ctx.caller.workspace_id, initiative.id)
    found = read_page(
        ctx.table,
        ProjectItem,
        one_partition(siblings, "subject", is_descending=True),
        Portion(_MOST_PROJECTS),
        accepts=lambda one: allows_project(ctx.caller.narrowing, one.id),
    )
    whole = InitiativeWithProjects.of(
        initiative,
        project_count=count,
        projects=[ProjectOfInitiative.of(one, key=one.project_key) for one in found.items],
        projects_truncated=found.goes_on_after is not None or None,
    )
    return sizes.fitted(whole, [_with_fewer_projects], room_to_say_so=_ROOM_TO_SAY_SO)


@namespace.writes(
    costs=Cost(reads=1, writes=1, items=7),
    emits=[INITIATIVE_UPDATED],
    asks=["start an initiative", "a strategic theme for several projects"],
)
def create(request: CreateInitiative, ctx: Context) -> InitiativeView:
    """Create an initiative behind all others, and return it.

    A slug that is made from the name gets a number where it is taken; one that you give and that is taken is
    a conflict. Add projects with initiatives.linkProject. An API key narrowed to initiatives is refused.
    Example: {"name": "Faster onboarding", "targetDate": "2027-06-30"}
    """
    caller, now = ctx.caller, ctx.now()
    _require_no_narrowing(caller)
    slug = request.slug or initiatives.derived_slug(request.name)
    room = initiatives.find_room(ctx.table, caller.workspace_id, slug)
    initiative = InitiativeItem(
        workspace_id=caller.workspace_id,
        id=ctx.new_id("ini"),
        slug=request.slug or initiatives.first_free(slug, room.taken, otherwise=room.position),
        position=room.position,
        created_by_id=caller.user_id,
        created_by_agent_id=caller.agent_id,
        created_at=now,
        updated_at=now,
        **request.model_dump(exclude={"slug"}),
    )
    initiatives.add(ctx.plan(), initiative, room, is_derived=request.slug is None)
    return InitiativeView.of(initiative, project_count=0)


@namespace.writes(
    idempotent=True,
    costs=Cost(reads=1, writes=1, items=4),
    emits=[INITIATIVE_UPDATED],
    asks=[
        "an initiative is completed",
        "begin or end an initiative",
        "give an initiative another name or target date",
    ],
)
def update(request: UpdateInitiative, ctx: Context) -> InitiativeView:
    """Change an initiative and return it; what is left out stays, `clear` empties fields.

    The slug stays for good. Its projects are changed with initiatives.linkProject and
    initiatives.unlinkProject.
    Example: {"id": "faster-onboarding", "status": "ACTIVE", "clear": ["targetDate"]}
    """
    initiative, count = _get(ctx, request.id)
    changed = initiative.changed(**request.given())
    if changed != initiative:
        changed = initiatives.save(ctx.plan(), initiative, changed)
    return InitiativeView.of(changed, project_count=count)


@namespace.writes(
    idempotent=True,
    costs=Cost(reads=1, writes=1, items=6),
    emits=[PROJECT_UPDATED],
    asks=["put a project into an initiative", "a project serves an initiative"],
)
def link_project(request: LinkProject, ctx: Context) -> ProjectView:
    """Attach a project to an initiative and return the project; it leaves the one that it served before.

    To detach it, use initiatives.unlinkProject.
    Example: {"initiativeId": "faster-onboarding", "projectId": "SITE"}
    """
    workspace_id = ctx.caller.workspace_id
    wanted = InitiativeItem.at(workspace_id, request.initiative_id)
    counted = PROJECT_COUNT(workspace_id, request.initiative_id)
    place = ProjectItem.at(workspace_id, request.project_id)
    known = ctx.table.read([wanted, counted, place])
    initiative, _ = initiatives.found_in(known, workspace_id, request.initiative_id)
    require_initiative(ctx.caller, initiative.id)
    project = known.find(ProjectItem, place)
    if project is None:
        raise unknown(Kind.PROJECT, "projectId", request.project_id)
    return _moved(ctx, project, initiative.id)


@namespace.writes(
    idempotent=True,
    costs=Cost(reads=1, writes=1, items=5),
    emits=[PROJECT_UPDATED],
    asks=["take a project out of its initiative", "a project no longer serves an initiative"],
)
def unlink_project(request: UnlinkProject, ctx: Context) -> ProjectView:
    """Detach a project from its initiative and return the project; one that has none stays as it is.

    To attach it to another, use initiatives.linkProject at once. Example: {"projectId": "SITE"}
    """
    project = projects.get(ctx.table, ctx.caller.workspace_id, request.project_id)
    serves = project.initiative_id
    if request.initiative_id and serves and serves != request.initiative_id:
        raise InvalidInput(
            "This project serves another initiative.",
            issues={"initiativeId": "Not the project's. Leave it out to detach it from whichever it serves."},
        )
    return _moved(ctx, project, None)


def _moved(ctx: Context, project: ProjectItem, initiative_id: str | None) -> ProjectView:
    require_project(ctx.caller, project.id)
    if project.initiative_id != initiative_id:
        changed = project.changed(initiative_id=initiative_id)
        action = "link" if initiative_id else "unlink"
        project = projects.save(ctx.plan(), project, changed, action=action)
    return project_view(project)


def _get(ctx: Context, initiative_id: str) -> tuple[InitiativeItem, int]:
    """Looked up before the narrowing is: what is not there is not found, whatever the key."""
    found = initiatives.get(ctx.table, ctx.caller.workspace_id, initiative_id)
    require_initiative(ctx.caller, found[0].id)
    return found


def _require_no_narrowing(caller: Caller) -> None:
    """Or a key could make what it may not see afterwards."""
    if caller.narrowing.initiative_ids:
        raise Forbidden(
            "This key is narrowed to initiatives that exist, so it can't make another.",
            hint="Use a key without initiativeIds, or ask an admin to create the initiative.",
        )


def _with_fewer_projects(whole: InitiativeWithProjects, excess: int) -> InitiativeWithProjects:
    shown = sizes.fewer(whole.projects, excess)
    return whole.model_copy(update={"projects": [*shown], "projects_truncated": True})
