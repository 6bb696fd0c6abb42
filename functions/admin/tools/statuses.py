"""Statuses: defining the columns of the board."""

from forge.context import Context
from forge.contract.effects import Cost
from forge.contract.references import Kind
from forge.errors import Conflict, PreconditionFailed
from forge.work.record.log import events
from forge.work.workspace import statuses, workspaces
from forge.work.workspace.meanings import find_only, things_of
from forge.work.workspace.statuses import MAX_STATUSES, StatusItem
from forge.work.workspace.workspaces import WorkspaceItem
from functions.admin.models.statuses import CreateStatus, StatusDefinition, UpdateStatus
from functions.admin.tools import namespace


@namespace.writes(name="statuses.create", costs=Cost(reads=2, writes=1, items=6))
def create(request: CreateStatus, ctx: Context) -> StatusDefinition:
    """Add a status; agents see it in statuses.list. A name that exists is a conflict.

    Example: {"name": "Blocked", "category": "IN_PROGRESS", "color": "#f59e0b"}
    """
    workspace, known = _statuses(ctx)
    if len(known) >= MAX_STATUSES:
        raise PreconditionFailed(f"A workspace has at most {MAX_STATUSES} statuses.")
    last = max((one.position for one in known), default=-1)
    status = StatusItem(
        workspace_id=ctx.caller.workspace_id,
        id=ctx.new_id("sta"),
        name=request.name,
        category=request.category,
        color=request.color.lower(),
        position=last + 1 if request.position is None else request.position,
        is_default=request.is_default,
    )
    tx = ctx.plan()
    statuses.add(tx, status)
    others = statuses.end_default(tx, known) if status.is_default else known
    workspaces.save_statuses(tx, workspace, [*others, status])
    events.record_change(tx, "status", status.id, action="create", after=status)
    return StatusDefinition.of(status)


@namespace.writes(idempotent=True, name="statuses.update", costs=Cost(reads=2, writes=1, items=7))
def update(request: UpdateStatus, ctx: Context) -> StatusDefinition:
    """Change a status; what is left out stays. Its category can't change: issues rely on it.

    Example: {"id": "sta_01J…", "name": "Blocked", "isDefault": true}
    """
    workspace, known = _statuses(ctx)
    meant = find_only(Kind.STATUS, "id", request.id, things_of(known))
    status = statuses.get(known, meant.id if meant else request.id)
    if status.is_default and request.is_default is False:
        raise Conflict("There is always one default status.", hint="Make another one the default instead.")
    given = request.given() | {"id": status.id}
    if "color" in given:
        given["color"] = given["color"].lower()
    changed = status.changed(**given)
    if changed != status:
        tx = ctx.plan()
        statuses.save(tx, status, changed)
        others = [one for one in known if one.id != status.id]
        if changed.is_default:
            others = statuses.end_default(tx, others)
        workspaces.save_statuses(tx, workspace, [*others, changed])
        events.record_change(tx, "status", status.id, action="update", before=status, after=changed)
    return StatusDefinition.of(changed)


def _statuses(ctx: Context) -> tuple[WorkspaceItem, list[StatusItem]]:
    """The statuses with the workspace that copies them, which is read first: see `save_statuses`."""
    workspace = ctx.services.workspaces.get(ctx.caller.workspace_id)
    return workspace, statuses.list_all(ctx.table, workspace.id)
