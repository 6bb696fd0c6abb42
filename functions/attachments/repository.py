"""Opening what things are attached to, and what is attached; titles of pages; objects that have to go."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import NamedTuple

from forge.auth.narrowing import require_initiative, require_issue_of_run, require_project
from forge.context import Caller, Context
from forge.contract.references import Kind
from forge.errors import InvalidInput, NotFound, Unavailable
from forge.outbound.addresses import Disallowed
from forge.outbound.orders import AnswerLimits, Order, Unreachable
from forge.store.answers import NoAnswer, Refused
from forge.store.cursors import Cursors
from forge.store.keys import Key
from forge.store.pages import Found, page_among
from forge.store.readings import Readings
from forge.work.content.attachments import attachments, room
from forge.work.content.attachments.attachments import (
    AttachmentItem,
    AttachmentPlace,
    AttachmentRowItem,
    TargetType,
)
from forge.work.content.attachments.media import upload_name
from forge.work.content.comments.comments import CommentItem
from forge.work.content.comments.opening import no_such_comment, open_comment
from forge.work.content.cycles.cycles import CycleItem
from forge.work.content.cycles.initiatives import InitiativeItem
from forge.work.content.references.resolving import id_meant
from forge.work.issues.desks import Desk, open_issue, settings_in, settings_key
from forge.work.issues.issues import OF_ISSUE
from forge.work.workspace.projects.projects import ProjectItem
from forge.work.workspace.workspaces import WorkspaceItem
from functions.attachments import rules
from functions.attachments.models import ListAttachments

Beside = Callable[[AttachmentPlace], Iterable[Key]]
"""What else to read, given what it is attached to."""

_KIND = "ATTACHMENT"
_TITLE = "title"
_TITLE_LIMITS = AnswerLimits(seconds=5.0, bytes=64 * 1024, redirects=5)


class Opened(NamedTuple):
    """What something is attached to, which the caller may see."""

    place: AttachmentPlace
    known: Desk | Readings
    workspace: WorkspaceItem
    desk: Desk | None = None
    """Of its issue, if it is one or is said about one."""


class _Planned(NamedTuple):
    """Where the things of a kind are, and which keys may see one."""

    key: Callable[[str, str], Key]
    shown_by: str
    require: Callable[[Caller, str], None] = lambda caller, thing_id: None


_PLANNED = {
    TargetType.PROJECT: _Planned(ProjectItem.at, "projects.list", require_project),
    TargetType.INITIATIVE: _Planned(InitiativeItem.at, "initiatives.list", require_initiative),
    TargetType.CYCLE: _Planned(CycleItem.at, "cycles.list"),
}


def open_target(ctx: Context, kind: TargetType, given: str, also: Beside = lambda place: ()) -> Opened:
    """By what the caller calls it; one request, two for a comment, and more only for names."""
    if kind is TargetType.ISSUE:
        desk = open_issue(ctx, given, lambda issue_id: also(_of_issue(issue_id)))
        return Opened(_of_issue(desk.issue.id), desk, desk.workspace, desk)
    if kind is TargetType.COMMENT:
        desk, comment = open_comment(
            ctx, given, beside=lambda one: also(AttachmentPlace(kind, given, one.issue_id))
        )
        place = AttachmentPlace(kind, comment.id, comment.issue_id, comment.key.sort)
        return Opened(place, desk, desk.workspace, desk)
    return _open_planned(ctx, AttachmentPlace(kind, _id_meant(ctx, kind, given)), also)


def open_for_more(ctx: Context, kind: TargetType, given: str) -> Opened:
    """The same with what tells how much room there is."""
    return open_target(ctx, kind, given, lambda place: room.keys_of(ctx.caller.workspace_id, place))


def open_attachment(
    ctx: Context, attachment_id: str, *, is_going: bool = False
) -> tuple[AttachmentItem, Opened]:
    """An attachment of something that the caller may see; two requests.

    One of a deleted comment is not found any more, but whoever wants its room back may still remove it.
    """
    found = attachments.get(ctx.table, ctx.caller.workspace_id, attachment_id)
    place = found.place
    if place.issue_id is None:
        return found, _open_planned(ctx, place)
    said = Key(OF_ISSUE(found.workspace_id, place.issue_id), place.sort) if place.sort else None
    desk = open_issue(ctx, place.issue_id, lambda _: [said] if said else [])
    if said and not is_going:
        comment = desk.find(CommentItem, said)
        if comment is None or comment.deleted_at is not None:
            raise no_such_comment(place.id)
    return found, Opened(place, desk, desk.workspace, desk)


def read_list(ctx: Context, request: ListAttachments) -> Found[AttachmentRowItem]:
    """Those of a target, the oldest first; of whom may see it, two requests."""
    page: Found[AttachmentRowItem]

    def read(place: AttachmentPlace) -> Iterable[Key]:
        nonlocal page
        partition, among = attachments.stretch_of(ctx.caller.workspace_id, place)
        rows = ctx.table.query_all(partition, most=room.MAX_OF_TARGET, sort=among)
        page = page_among(
            rows.of(AttachmentRowItem),
            lambda row: row.id,
            request,
            cursors=Cursors(partition, _KIND),
        )
        return ()

    open_target(ctx, request.target_type, request.target_id, read)
    return page


def title_of_page(ctx: Context, url: str) -> str | None:
    """What a page calls itself, if it can be had: asked for once, however often the handler runs."""
    if _TITLE not in ctx.memory:
        # Most processes never read a page.
        from forge.outbound.titles import title_in

        page = Order(url, headers={"Accept": "text/html, application/xhtml+xml"})
        try:
            ctx.memory[_TITLE] = title_in(ctx.services.outbound.send(page, limits=_TITLE_LIMITS))
        except (Disallowed, Unreachable):
            # A name that leads into the private is as good as one that leads nowhere: nobody learns which.
            ctx.memory[_TITLE] = None
    found: str | None = ctx.memory[_TITLE]
    return found


def take_in(ctx: Context, attachment: AttachmentItem) -> None:
    """Keep what was sent, if it was announced, where nobody can send to: looked at before and after."""
    blobs, name = ctx.services.store.blobs, str(attachment.blob)
    sent = upload_name(name)
    rules.require_whole(attachment, blobs.find(sent))
    # What was sent goes by itself, a day or two later.
    rules.require_whole(attachment, blobs.find(name) if blobs.copy(sent, name) else None)


def put_in(ctx: Context, attachment: AttachmentItem, content: bytes) -> None:
    """Keep what a call brought along."""
    ctx.services.store.blobs.put(str(attachment.blob), content, content_type=attachment.mime_type)


def erase_afterwards(ctx: Context, blob: str | None) -> None:
    """Remove an object when the call is over and has succeeded; if that fails, the sweep does it."""

    def erase() -> None:
        if blob and ctx.has_committed:
            with suppress(Refused, NoAnswer, Unavailable):
                ctx.services.store.blobs.delete(blob)

    ctx.at_end = (*ctx.at_end, erase)


def _of_issue(issue_id: str) -> AttachmentPlace:
    return AttachmentPlace(TargetType.ISSUE, issue_id, issue_id)


def _open_planned(ctx: Context, place: AttachmentPlace, also: Beside = lambda place: ()) -> Opened:
    planned = _PLANNED[place.type]
    key = planned.key(ctx.caller.workspace_id, place.id)
    known = ctx.table.read([settings_key(ctx), key, *also(place)])
    if not known.has(key):
        raise _no_such(place.type, place.id)
    planned.require(ctx.caller, place.id)
    if ctx.changes:
        require_issue_of_run(ctx.caller, place.id)
    return Opened(place, known, settings_in(ctx, known))


def _id_meant(ctx: Context, target_type: TargetType, given: str) -> str:
    """A name will do for what can be referred to by one."""
    kind = next((one for one in Kind if one.value == target_type.value), None)
    try:
        return id_meant(ctx, kind, "targetId", given) if kind else given
    except InvalidInput as error:
        if error.unknown is None:
            raise
        raise _no_such(target_type, given) from None


def _no_such(kind: TargetType, given: str) -> NotFound:
    return NotFound(f"There is no {kind} {given[:60]!r}.", hint=f"{_PLANNED[kind].shown_by} shows them.")
