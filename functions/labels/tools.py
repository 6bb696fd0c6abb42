"""The labels' tools."""

from forge.context import Context
from forge.contract.effects import Cost
from forge.contract.models import Deleted, FullList, NoArguments
from forge.contract.terms import Scope
from forge.contract.tools import Namespace
from forge.store.transactions import Transaction
from forge.work.backlog import known_labels
from forge.work.record.continuations import continuations
from forge.work.record.continuations.continuations import ContinuationKind
from forge.work.record.log import events
from forge.work.workspace import labels, workspaces
from forge.work.workspace.labels import LabelItem
from functions.labels.models import CreateLabel, DeleteLabel, LabelView, UpdateLabel

namespace = Namespace("labels", "See and keep the labels that issues carry.", writes=[Scope.ADMIN])


@namespace.reads(
    costs=Cost(reads=1),
    asks=["what labels exist", "tags to choose from"],
)
def list(request: NoArguments, ctx: Context) -> FullList[LabelView]:
    """List every label of the workspace by name, with how many issues carry it.

    Use the ids wherever a tool takes labelIds. Example: {}
    """
    found = labels.list_all(ctx.table, ctx.caller.workspace_id)
    return FullList[LabelView](data=[LabelView.of(label, issue_count=count) for label, count in found])


@namespace.writes(
    narrowed_because="A new label is on no issue, and widens no key.",
    costs=Cost(reads=1, writes=1, items=5).up_to(reads=2, items=6, because="backlogs know the label"),
    asks=["introduce a label", "define a tag"],
)
def create(request: CreateLabel, ctx: Context) -> LabelView:
    """Create a label and return it.

    A name that exists, in whatever case, is a conflict: look with labels.list first.
    Example: {"name": "bug", "color": "#dc2626"}
    """
    labels.require_room(len(labels.list_all(ctx.table, ctx.caller.workspace_id)))
    label = LabelItem(
        workspace_id=ctx.caller.workspace_id,
        id=ctx.new_id("lbl"),
        name=request.name,
        color=request.color.lower(),
    )
    tx = ctx.plan()
    labels.add(tx, label)
    _let_backlogs_know(ctx, tx, old=None, new=label)
    events.record_change(tx, "label", label.id, action="create", after=label)
    return LabelView.of(label, issue_count=0)


@namespace.writes(
    idempotent=True,
    costs=Cost(reads=1, writes=1, items=5).up_to(reads=2, items=7, because="backlogs know the label"),
    asks=["recolour a label", "give a label another name"],
)
def update(request: UpdateLabel, ctx: Context) -> LabelView:
    """Rename or recolor a label and return it; issues that carry it show the change at once.

    What is left out stays. A name that exists is a conflict. Example: {"id": "lbl_01J…", "name": "defect"}
    """
    label, count = labels.get(ctx.table, ctx.caller.workspace_id, request.id)
    changed = label.changed(name=request.name or label.name, color=(request.color or label.color).lower())
    if changed != label:
        tx = ctx.plan()
        labels.save(tx, label, changed)
        _let_backlogs_know(ctx, tx, old=label, new=changed)
        events.record_change(tx, "label", label.id, action="update", before=label, after=changed)
    return LabelView.of(changed, issue_count=count)


@namespace.writes(
    destructive=True,
    costs=Cost(reads=1, writes=1, items=6).up_to(reads=2, items=8, because="backlogs know the label"),
    asks=["drop a label for good", "a label nobody uses"],
)
def delete(request: DeleteLabel, ctx: Context) -> Deleted:
    """Delete a label for good; issues lose it, and its name is free again.

    To keep the label but change it, use labels.update. Example: {"id": "lbl_01J…"}
    """
    label, _ = labels.get(ctx.table, ctx.caller.workspace_id, request.id)
    tx = ctx.plan()
    labels.remove(tx, label)
    _let_backlogs_know(ctx, tx, old=label, new=None)
    continuations.begin(tx, ContinuationKind.LABEL_DELETED, label.id)
    events.record_change(tx, "label", label.id, action="delete", before=label)
    return Deleted(id=label.id)


def _let_backlogs_know(
    ctx: Context, tx: Transaction, *, old: LabelItem | None, new: LabelItem | None
) -> None:
    """Some names mean something to backlogs; for every other label nothing is looked up."""
    if known_labels.is_followed(old, new):
        known_labels.follow(tx, workspaces.get(ctx.table, ctx.caller.workspace_id), old=old, new=new)
