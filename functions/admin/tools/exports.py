"""Exports: everything of a workspace, to take along."""

from contextlib import suppress

from forge.context import Context
from forge.contract.effects import FILTERED, Cost
from forge.contract.fields import Paged
from forge.contract.models import NoArguments, Page
from forge.errors import InvalidInput, Unavailable
from forge.store.answers import NoAnswer, Refused
from forge.store.pages import read_page
from forge.store.walks import one_partition
from forge.work.content.attachments.attachments import AttachmentItem
from forge.work.issues.pages.listing import Pager
from forge.work.overviews.exports import orders
from forge.work.overviews.exports.orders import CONTENT_TYPE, ExportItem, ExportStatus, LatestItem
from forge.work.record.log import events
from forge.work.record.log.events import UNSENT_AFTER
from forge.work.workspace import jobs
from functions.admin.models.exports import ExportView, FileView, GetExport, OrderedExport
from functions.admin.tools import namespace

URL_SECONDS = 15 * 60


@namespace.writes(costs=Cost(reads=2, writes=1, items=4))
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


@namespace.reads(name="exports.get", costs=Cost(reads=1))
def get(request: GetExport, ctx: Context) -> ExportView:
    """Show what became of an export: PENDING, RUNNING, DONE or FAILED, and how much it is.

    One that is DONE has a url, good for 15 minutes; it is kept for a week. A long one has several parts, to
    be joined in their order, and part says which the url is for. The first line of all says what it is, the
    last one how many items it has. Example: {"exportId": "exp_01J…"}
    """
    order = orders.get(ctx.table, ctx.caller.workspace_id, request.export_id, now=ctx.now())
    is_there = order.status is ExportStatus.DONE
    return ExportView.of(
        order,
        export_id=order.id,
        parts=len(order.blobs) if is_there else None,
        url=_url(ctx, order, request.part) if is_there else None,
        expires_in_seconds=URL_SECONDS if is_there else None,
    )


@namespace.reads(name="exports.files", costs=Cost(reads=1).up_to(reads=3, because=FILTERED))
def list_files(request: Paged, ctx: Context) -> Page[FileView]:
    """List the files of the workspace, which no export holds: the name of each, its size and a url.

    A url is good for 15 minutes. What is put back under the same names is what attachments refer to. An item
    of an export names its file as blob. A narrowed key can't. Example: {"limit": 20}
    """
    everything = one_partition(AttachmentItem.stored.partition(ctx.caller.workspace_id))
    found = read_page(ctx.table, AttachmentItem, everything, request, accepts=lambda one: one.is_a_file)
    return Pager(Page[FileView]).page(found, lambda file: _file(ctx, file))


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


def _file(ctx: Context, file: AttachmentItem) -> FileView:
    name = str(file.blob)
    url = ctx.services.store.blobs.url_to_get(
        name, content_type=file.mime_type, disposition="attachment", seconds=URL_SECONDS
    )
    return FileView(name=name, size=file.size, url=url)


def _url(ctx: Context, order: ExportItem, part: int) -> str:
    if part > len(order.blobs):
        wrong = f"It has {len(order.blobs)}."
        raise InvalidInput("The export has no such part.", issues={"part": wrong})
    return ctx.services.store.blobs.url_to_get(
        order.blobs[part - 1],
        content_type=CONTENT_TYPE,
        disposition=f'attachment; filename="{order.id}{f"-{part}" if part > 1 else ""}.jsonl"',
        seconds=URL_SECONDS,
    )
