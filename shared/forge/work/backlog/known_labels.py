"""The labels by which backlogs know types and statuses: made where missing, and followed when they change."""

from contextlib import suppress

from forge.context import Context
from forge.errors import Conflict
from forge.store.transactions import Transaction, VersionMoved, overtaken
from forge.work.issues.backlog_rows import rows
from forge.work.issues.backlog_rows.places import COLORS, known_name, label_ids_of
from forge.work.record.log import events
from forge.work.workspace import labels, workspaces
from forge.work.workspace.labels import LabelItem
from forge.work.workspace.taken_names import NameItem
from forge.work.workspace.workspaces import KnownLabel, WorkspaceItem

_TRIES = 5


def ensure(ctx: Context, workspace: WorkspaceItem) -> WorkspaceItem:
    """The settings once every label is there, whoever of several at the same moment made it."""
    for _ in range(_TRIES):
        if COLORS.keys() <= set(workspace.backlog_labels.values()):
            return workspace
        tx = ctx.services.store.begin(ctx)
        tx.replace(workspace.changed(known_labels=make_missing(ctx, tx, workspace)))
        with suppress(VersionMoved):
            # At once, and not with the plan of the call: it stays, whatever becomes of the rest.
            ctx.services.store.commit(tx)
        workspace = workspaces.get(ctx.table, workspace.id)
    raise Conflict("The labels of the backlog are being changed.", hint="Try again.", retryable=True)


def follow(
    tx: Transaction, workspace: WorkspaceItem, *, old: LabelItem | None, new: LabelItem | None
) -> None:
    """A label that backlogs know was made, renamed or deleted: from now on they know it so."""
    label_id = old.id if old else new.id if new else ""
    known = [one for one in workspace.known_labels if one.label_id != label_id]
    name = known_name(new.name) if new else None
    if name == workspace.backlog_labels.get(label_id):
        return
    named = [KnownLabel(label_id=label_id, name=name)] if name else []
    tx.replace(workspace.changed(known_labels=[*known, *named]))
    if old and workspace.backlog_projects:
        rows.settle_later(tx)


def is_followed(*labels_: LabelItem | None) -> bool:
    return any(known_name(one.name) for one in labels_ if one)


def make_missing(ctx: Context, tx: Transaction, workspace: WorkspaceItem) -> list[KnownLabel]:
    """Those that are known afterwards; if somebody else makes one meanwhile, all is decided again."""
    missing = [name for name in COLORS if name not in label_ids_of(workspace)]
    places = {name: NameItem.of_name(workspace.id, "LABEL", name) for name in missing}
    taken = ctx.table.read(places.values())
    known: list[KnownLabel] = []
    for name in missing:
        name_taken = taken.find(NameItem, places[name])
        if name_taken is not None:
            known.append(KnownLabel(label_id=name_taken.owner_id, name=name))
            continue
        made = LabelItem(workspace_id=workspace.id, id=ctx.new_id("lbl"), name=name, color=COLORS[name])
        labels.add(tx, made, refusal=overtaken)
        events.record_change(tx, "label", made.id, action="create", after=made)
        known.append(KnownLabel(label_id=made.id, name=name))
    return [*workspace.known_labels, *known]
