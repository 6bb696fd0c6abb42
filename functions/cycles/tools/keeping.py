"""Seeing and keeping cycles."""

from forge.context import Context
from forge.contract.effects import FILTERED, Cost
from forge.contract.models import NoArguments, Page
from forge.store.pages import read_page
from forge.store.walks import one_partition
from forge.work.content.cycles import cycles
from forge.work.content.cycles.cycles import CYCLES_LISTED, CycleItem
from forge.work.issues.desks import settings_in, settings_key
from forge.work.issues.pages.listing import Pager
from forge.work.issues.views import row_of
from forge.work.workspace.people.names import Names, keys_of
from forge.work.workspace.projects.projects import CYCLE_COUNT
from functions.cycles import repository, rules
from functions.cycles.models import CreateCycle, CycleView, CycleWithIssues, GetCycle, ListCycles, UpdateCycle
from functions.cycles.tools import namespace


@namespace.reads(
    costs=Cost(reads=2).up_to(reads=4, because=FILTERED),
    asks=["what sprints are there", "overview of iterations", "cycles that are planned or over"],
)
def list(request: ListCycles, ctx: Context) -> Page[CycleView]:
    """List the cycles of the workspace, the one that starts last first, each with how many issues it has.

    For the one that is under way use cycles.current, for the issues of one cycles.get. Pass nextCursor as
    cursor for more. Example: {"status": "PLANNED"}
    """
    pager = Pager(Page[CycleView], request.fields)
    listing = one_partition(CYCLES_LISTED(ctx.caller.workspace_id), "updated", is_descending=True)
    accepts = (lambda cycle: cycle.status is request.status) if request.status else None
    found = read_page(ctx.table, CycleItem, listing, request, accepts=accepts)
    counts = ctx.table.read(CYCLE_COUNT(one.workspace_id, one.id) for one in found.items)
    return pager.page(found, lambda cycle: _view(cycle, cycles.count_in(counts, cycle)))


@namespace.reads(
    costs=Cost(reads=3),
    asks=[
        "which issues the sprint has",
        "issues in an iteration",
        "look at one sprint",
        "one cycle and its tickets",
    ],
)
def get(request: GetCycle, ctx: Context) -> CycleWithIssues:
    """Return a cycle with its issues, done ones too: the most urgent first, and then the oldest.

    `id` may be its name, or current. Pass nextCursor as cursor for more issues; to filter them, use
    issues.list with cycleId. Example: {"id": "current", "limit": 20}
    """
    cycle, count, _ = repository.get(ctx, request.id)
    found = repository.issues_of(ctx, cycle, request)
    wanted = dict.fromkeys(key for issue in found.items for key in keys_of(issue))
    readings = ctx.table.read([settings_key(ctx), *wanted])
    names = Names(settings_in(ctx, readings), readings)
    shown = dict(_view(cycle, count))
    return Pager(CycleWithIssues).page(found, lambda issue: row_of(issue, names), **shown)


@namespace.reads(
    costs=Cost(reads=2),
    asks=["the sprint under way", "which iteration are we in now", "is a sprint running right now"],
)
def current(request: NoArguments, ctx: Context) -> CycleView | None:
    """Return the ACTIVE cycle, or null when there is none.

    To make one so, use cycles.update with {"status": "ACTIVE"}. Example: {}
    """
    found = repository.find_current(ctx)
    return _view(found.cycle, found.issue_count) if found else None


@namespace.writes(
    costs=Cost(reads=1, writes=1, items=4),
    asks=["set up a sprint", "open another iteration"],
)
def create(request: CreateCycle, ctx: Context) -> CycleView:
    """Create a cycle, PLANNED at first, and return it.

    Without dates it begins now and is as long as the workspace's cycles are. A name that exists is a
    conflict. Put issues into it with cycles.plan.
    Example: {"name": "Sprint 12", "startsAt": "2030-01-07", "lengthDays": 14}
    """
    rules.require_name(request.name)
    caller, now = ctx.caller, ctx.now()
    dates = rules.first_dates(
        ctx.services.workspaces.get(caller.workspace_id), now, **request.model_dump(exclude={"name"})
    )
    cycle = CycleItem(
        workspace_id=caller.workspace_id,
        id=ctx.new_id("cyc"),
        name=request.name,
        created_by_id=caller.user_id,
        created_by_agent_id=caller.agent_id,
        created_at=now,
        updated_at=now,
        **dates,
    )
    rules.require_dates_in_order(cycle, blamed="endsAt")
    cycles.add(ctx.plan(), cycle)
    return _view(cycle, 0)


@namespace.writes(
    idempotent=True,
    costs=Cost(reads=1, writes=1, items=6),
    asks=[
        "activate a sprint",
        "make a cycle the active one",
        "extend a sprint",
        "give a sprint another name",
    ],
)
def update(request: UpdateCycle, ctx: Context) -> CycleView:
    """Change the name, the dates or the status of a cycle, and return it; what is left out stays.

    Only one cycle can be ACTIVE: a second one is a conflict. To end one and take its open issues along, use
    cycles.rollover. Example: {"id": "Sprint 12", "status": "ACTIVE"}
    """
    cycle, count, active = repository.get(ctx, request.id)
    if request.name is not None:
        rules.require_name(request.name)
    changed = rules.edited(cycle, request.model_dump(exclude={"id"}, exclude_none=True))
    rules.require_dates_in_order(changed, blamed="endsAt" if request.ends_at else "startsAt")
    active_id = rules.active_after(changed, active.owner_id if active else None)
    if changed == cycle:
        return _view(cycle, count)
    tx = ctx.plan()
    cycles.save_active(tx, cycle.workspace_id, active, active_id)
    return _view(cycles.save(tx, cycle, changed), count)


def _view(cycle: CycleItem, issue_count: int) -> CycleView:
    return CycleView.of(cycle, issue_count=issue_count)
