"""Workspaces: founding one, and the settings of one's own."""

from datetime import timedelta
from typing import Any

from forge.auth import bounds
from forge.auth.bounds import Grant
from forge.context import Context, Role
from forge.contract.effects import Cost
from forge.contract.models import NoArguments
from forge.contract.terms import Scope
from forge.errors import Conflict, Forbidden, InvalidInput
from forge.store.transactions import Transaction
from forge.work.content.destinations import destinations
from forge.work.issues.auto_dispatch import choices, lines
from forge.work.issues.edits.transitions import status_of
from forge.work.issues.neglect import neglect
from forge.work.record.continuations import continuations
from forge.work.record.continuations.continuations import ContinuationKind
from forge.work.record.log import events
from forge.work.workspace import erasures, founding
from forge.work.workspace.erasures import ErasureStatus
from forge.work.workspace.people import key_copies, members
from forge.work.workspace.statuses import StatusCategory
from forge.work.workspace.workspaces import GroupRole, WorkspaceItem
from functions.admin.models.workspaces import (
    CreateWorkspace,
    DeleteWorkspace,
    NewWorkspace,
    SignInGroup,
    UpdateWorkspace,
    WorkspaceSettings,
)
from functions.admin.tools import namespace

_STATUS_FIELDS = {
    "started_status_id": ("startedStatusId", StatusCategory.IN_PROGRESS),
    "review_status_id": ("reviewStatusId", StatusCategory.IN_REVIEW),
}


@namespace.writes(
    secrets=["raw_key"],
    name="workspaces.create",
    lasting=True,
    costs=Cost(reads=1, writes=1, items=23),
)
def create(request: CreateWorkspace, ctx: Context) -> NewWorkspace:
    """Found a workspace, with its statuses, yourself as owner, and a key for it that is shown once.

    Only an OWNER can, with a PERSONAL key of every scope and no narrowing; the new key ends when that one
    does. Slug and key are unique in the deployment.
    Example: {"slug": "acme", "key": "ACME", "name": "Acme"}
    """
    bounds.require_founder(ctx.caller)
    ends_at = ctx.caller.expires_at
    bounds.require_within(Grant(frozenset(Scope), role=Role.OWNER, expires_at=ends_at), ctx.caller)
    me = members.get(ctx.table, ctx.caller.workspace_id, str(ctx.caller.user_id))
    founder = founding.Founder(me.user_id, me.email, me.name, me.handle, me.timezone, ends_at)
    tx = ctx.plan()
    members.join(tx, me.user_id)
    founded = founding.found(tx, slug=request.slug, prefix=request.key, name=request.name, founder=founder)
    return NewWorkspace(workspace=_view(founded.workspace), raw_key=founded.owner_key.raw)


@namespace.reads(
    name="workspaces.get",
    narrowed_because="Settings tell of no issue; agents see most of them, too.",
    costs=Cost(reads=1),
)
def get(request: NoArguments, ctx: Context) -> WorkspaceSettings:
    """Show your workspace with all of its settings.

    Agents see some of them with workspace.get. Example: {}
    """
    return _view(ctx.services.workspaces.get(ctx.caller.workspace_id))


@namespace.writes(
    idempotent=True,
    name="workspaces.update",
    costs=Cost(reads=1, writes=1, items=5).up_to(items=6, because="deadlines, dispatch and keys follow"),
)
def update(request: UpdateWorkspace, ctx: Context) -> WorkspaceSettings:
    """Change settings of your workspace; what is left out stays, `clear` empties fields.

    Example: {"agentIdleTimeoutMinutes": 30, "timeTrackingEnabled": true}
    """
    workspace = ctx.services.workspaces.get(ctx.caller.workspace_id)
    destinations.require_nameable(request.webhook_allowed_hosts or (), own_machine=ctx.services.own_machine)
    given = _with_statuses(request.given(), workspace)
    if request.sign_in_groups is not None:
        given["sign_in_groups"] = [GroupRole(**dict(one)) for one in request.sign_in_groups]
    changed = workspace.changed(**given)
    if changed.log_shards < workspace.log_shards:
        known = f"The log has {workspace.log_shards} shards, in all of which something is written."
        raise InvalidInput(known, issues={"logShards": f"Give {workspace.log_shards} or more."})
    if changed != workspace:
        tx = ctx.plan()
        tx.replace(changed)
        if neglect.looks_earlier(workspace, changed):
            continuations.begin(tx, ContinuationKind.DEADLINES_MOVED, workspace.id)
        if changed.log_shards != workspace.log_shards:
            spread = [str(changed.log_shards)]
            continuations.begin(tx, ContinuationKind.KEYS_FOLLOW, workspace.id, words=spread)
        elif changed.calls_per_minute != workspace.calls_per_minute:
            continuations.begin(tx, ContinuationKind.KEYS_FOLLOW, workspace.id)
        if choices.is_auto_dispatching(changed) and not choices.is_auto_dispatching(workspace):
            # Whatever was queued while it was off waits from now on.
            lines.form(tx)
        events.record_change(tx, "workspace", workspace.id, action="update", before=workspace, after=changed)
    return _view(changed)


@namespace.writes(
    idempotent=True,
    destructive=True,
    name="workspaces.delete",
    costs=Cost(reads=3, writes=1, items=7).up_to(items=66, because="sixty keys stop with it"),
)
def delete(request: DeleteWorkspace, ctx: Context) -> WorkspaceSettings:
    """Delete your workspace with everything in it, after a time in which an owner can undo it.

    At once its keys are refused (of many, some within minutes), and nothing is dispatched or swept any more;
    an owner can still call workspaces.get and workspaces.restore. At `deletesAt` all rows and files begin to
    go, and slug and key are free again. Only an OWNER can, and says the slug. Take an export along first.
    Example: {"confirm": "acme", "graceDays": 30}
    """
    workspace = ctx.services.workspaces.get(ctx.caller.workspace_id)
    _require_owner(ctx, "delete")
    if request.confirm != workspace.slug:
        raise InvalidInput(
            "Nothing was deleted.", issues={"confirm": f"Say {workspace.slug!r}, the slug of this workspace."}
        )
    if workspace.deletes_at is not None:
        return _view(workspace)
    ends_at = ctx.now() + timedelta(days=request.grace_days)
    ended = workspace.changed(deletes_at=ends_at)
    tx = ctx.plan()
    tx.replace(ended)
    erasures.order(tx, workspace.id, begins_at=ends_at)
    _have_keys_follow(ctx, tx, ended)
    events.record_change(tx, "workspace", workspace.id, action="delete", before=workspace, after=ended)
    return _view(ended)


@namespace.writes(
    idempotent=True,
    name="workspaces.restore",
    costs=Cost(reads=4, writes=1, items=5).up_to(items=66, because="sixty keys go on with it"),
)
def restore(request: NoArguments, ctx: Context) -> WorkspaceSettings:
    """Undo that your workspace is deleted, while there is time; its keys work again within minutes.

    For an OWNER, also with a key that was stopped. What was given up meanwhile is found by
    webhookDeliveries.list. Example: {}
    """
    workspace = ctx.services.workspaces.get(ctx.caller.workspace_id)
    _require_owner(ctx, "restore")
    order = erasures.find(ctx.table, workspace.id, workspace.id)
    if workspace.deletes_at is None or order is None:
        return _view(workspace)
    if order.status is not ErasureStatus.PENDING or workspace.deletes_at <= ctx.now():
        raise Conflict("It is too late: the workspace is being deleted.", hint="Found another one.")
    restored = workspace.changed(deletes_at=None)
    tx = ctx.plan()
    tx.replace(restored)
    tx.delete(order)
    _have_keys_follow(ctx, tx, restored)
    events.record_change(tx, "workspace", workspace.id, action="restore", before=workspace, after=restored)
    return _view(restored)


def _require_owner(ctx: Context, what: str) -> None:
    if ctx.caller.role is not Role.OWNER:
        raise Forbidden(f"Only an OWNER can {what} a workspace.", hint="Ask an owner to do it.")


def _have_keys_follow(ctx: Context, tx: Transaction, workspace: WorkspaceItem) -> None:
    """As many as fit into the transaction at once, and the rest by and by."""
    key_copies.bring_up_to_date(ctx.table, tx, workspace)
    continuations.begin(tx, ContinuationKind.KEYS_FOLLOW, workspace.id)


def _with_statuses(given: dict[str, Any], workspace: WorkspaceItem) -> dict[str, Any]:
    """A status that a setting refers to must exist and be of the category that the rule acts on."""
    meant = {
        name: status_of(workspace, given[name], field=field)
        for name, (field, _) in _STATUS_FIELDS.items()
        if given.get(name)
    }
    wanted = {name: _STATUS_FIELDS[name] for name in meant}
    issues = {
        field: f"Give a status of category {category}."
        for name, (field, category) in wanted.items()
        if meant[name].category is not category
    }
    if issues:
        raise InvalidInput("These statuses do not fit.", issues=issues, hint="statuses.list shows them.")
    return given | {name: status.id for name, status in meant.items()}


def _view(workspace: WorkspaceItem) -> WorkspaceSettings:
    groups = [SignInGroup.of(one) for one in workspace.sign_in_groups]
    return WorkspaceSettings.of(workspace, key=workspace.key_prefix, sign_in_groups=groups)
