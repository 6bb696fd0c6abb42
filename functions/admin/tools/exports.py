"""Exports: everything of a workspace, to take along."""

from contextlib import suppress

from forge.context import Context
from forge.contract.effects import Cost
from forge.contract.models import NoArguments
from forge.contract.terms import Effect
from forge.errors import Unavailable
from forge.store.answers import NoAnswer, Refused
from forge.work.overviews.exports import orders
from forge.work.overviews.exports.orders import CONTENT_TYPE, ExportItem, ExportStatus, LatestItem
from forge.work.record.log import events
from forge.work.record.log.events import UNSENT_AFTER
from forge.work.workspace import jobs
from functions.admin.models.exports import ExportView, GetExport, OrderedExport
from functions.admin.tools import namespace

URL_SECONDS = 15 * 60


@namespace.tool(effect=Effect.MUTATING, costs=Cost(reads=2, writes=1, items=4))
def export(request: NoArguments, ctx: Context) -> OrderedExport:
    """Export everything of the workspace as lines of JSON; secrets and hashes of keys are left out.

    Over HTTP the answer is the lines themselves (application/x-ndjson) when they are ready in some seconds
    and have 4 MB at most. Otherwise it is 202 with an exportId for exports.get; the header
    `Prefer: respond-async` asks for that at once. While one is under way, a second call is about the same.
    A narrowed key can't. Example: {}
    """
    latest = orders.find_latest(ctx.table, ctx.caller.workspace_id)
    order = _under_way(ctx, latest) or _place(ctx, latest)
    ctx.at_end = (lambda: _send(ctx, order),)
    return OrderedExport(export_id=order.id, status=order.status)


@namespace.tool(effect=Effect.READ_ONLY, name="exports.get", costs=Cost(reads=1))
def get(request: GetExport, ctx: Context) -> ExportView:
    """Show what became of an export: PENDING, RUNNING, DONE or FAILED, and how much it is.

    One that is DONE has a url, good for 15 minutes; it is kept for a week. Its first line says what it is,
    its last one how many items it has. Example: {"exportId": "exp_01J…"}
    """
    order = orders.get(ctx.table, ctx.caller.workspace_id, request.export_id, now=ctx.now())
    is_there = order.status is ExportStatus.DONE
    return ExportView.of(
        order,
        export_id=order.id,
        url=_url(ctx, order) if is_there else None,
        expires_in_seconds=URL_SECONDS if is_there else None,
    )


def _under_way(ctx: Context, latest: LatestItem | None) -> ExportItem | None:
    order = orders.find(ctx.table, ctx.caller.workspace_id, latest.export_id) if latest else None
    return order if order and not order.is_over else None


def _place(ctx: Context, latest: LatestItem | None) -> ExportItem:
    order = ExportItem(
        workspace_id=ctx.caller.workspace_id,
        id=ctx.new_id("exp"),
        ordered_by=ctx.caller.user_id,
        created_at=ctx.now(),
        look_at=ctx.now() + UNSENT_AFTER,
    )
    tx = ctx.plan()
    orders.add(tx, order, after=latest)
    events.record_change(tx, "export", order.id, action="order")
    return order


def _send(ctx: Context, order: ExportItem) -> None:
    """Also of one that was not ordered after all: nobody does anything about that. The sweep sends, too."""
    if not order.is_free(ctx.now()):
        return
    with suppress(Refused, NoAnswer, Unavailable):
        jobs.send(ctx.services.store, order)


def _url(ctx: Context, order: ExportItem) -> str:
    name = order.blob.rpartition("/")[2]
    return ctx.services.store.blobs.url_to_get(
        order.blob,
        content_type=CONTENT_TYPE,
        disposition=f'attachment; filename="{name}"',
        seconds=URL_SECONDS,
    )
