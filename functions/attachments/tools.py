"""The attachments' tools."""

from base64 import b64encode

from forge.context import Context
from forge.contract.effects import KEPT_UP, Cost
from forge.contract.models import Done, Page
from forge.contract.terms import Artifact, Effect
from forge.contract.tools import Namespace
from forge.errors import InvalidInput
from forge.store.transactions import Transaction
from forge.work.content.attachments import attachments, room
from forge.work.content.attachments.attachments import (
    URL_SECONDS,
    AttachmentItem,
    AttachmentState,
    TargetType,
    a_file,
    a_link,
)
from forge.work.content.attachments.media import disposition, id_in, served_type, upload_name
from forge.work.content.attachments.views import AttachmentView
from forge.work.issues import heads
from forge.work.issues.changes import begin_change
from forge.work.issues.pages.listing import Pager
from forge.work.issues.runs.announcements import RUN_STARTED
from forge.work.issues.saving import save
from forge.work.record.log import events
from functions.attachments import repository, rules
from functions.attachments.announcements import ISSUE_ATTACHED, told_of
from functions.attachments.models import (
    AttachLink,
    DownloadUrl,
    FinalizeUpload,
    GetInline,
    InitUpload,
    InlineFile,
    ListAttachments,
    NamedAttachment,
    Upload,
)
from functions.attachments.repository import Opened

namespace = Namespace("attachments", "Keep files and links with issues, comments and plans.")


@namespace.writes(
    for_runs=True,
    costs=Cost(reads=2, writes=1, items=5),
    files=("filename",),
    asks=["upload a file", "attach a screenshot", "add a picture to an issue", "send a log file"],
)
def init_upload(request: InitUpload, ctx: Context) -> Upload:
    """Begin to attach a file: get a URL that takes exactly this file for 15 minutes.

    PUT the bytes to uploadUrl with the headers of the answer, then call attachments.finalize within an hour.
    At most 25 MiB, of the common types of pictures, documents, texts, sound and film; a workspace without
    room for it refuses. For a web page, use attachments.attachLink.
    Example: {"targetType": "issue", "targetId": "DEMO-1", "filename": "login.png", "mimeType": "image/png",
    "size": 48213}
    """
    opened = repository.open_for_more(ctx, request.target_type, request.target_id)
    attachment = a_file(
        ctx, opened.place, filename=request.filename, mime_type=request.mime_type, size=request.size
    )
    tx = ctx.plan()
    attachments.add(tx, attachment)
    room.take(tx, attachment, opened.known, opened.workspace)
    if opened.desk:
        heads.keep_claim(tx, opened.desk.issue)
    _audit(tx, attachment, action="begin-upload")
    name = str(attachment.blob)
    sending = ctx.services.store.blobs.url_to_put(
        upload_name(name), content_type=attachment.mime_type, size=attachment.size, seconds=URL_SECONDS
    )
    return Upload(
        upload_url=sending.url,
        key=name,
        attachment_id=attachment.id,
        expires_in_seconds=URL_SECONDS,
        headers=sending.headers,
    )


@namespace.writes(
    for_runs=True,
    ungated="What was found can be shown in every mode.",
    idempotent=True,
    costs=Cost(reads=3, writes=1, items=9).up_to(items=11, because=KEPT_UP),
    emits=[ISSUE_ATTACHED, RUN_STARTED],
    asks=["the upload is done", "confirm an upload", "complete an upload"],
)
def finalize(request: FinalizeUpload, ctx: Context) -> AttachmentView:
    """Say that a file's bytes are sent, by attachmentId or key: from then on it is attached and listed.

    If nothing has arrived, or something else than was announced, it is a conflict. Again does no harm.
    Whoever can't PUT gives the bytes of a small file as base64.
    Example: {"attachmentId": "att_01J…"}
    """
    if (request.attachment_id is None) is (request.key is None):
        wrong = "Give attachmentId or key, and only one of them."
        raise InvalidInput("Say which upload, in one way.", issues={"attachmentId": wrong, "key": wrong})
    given = request.attachment_id or id_in(str(request.key))
    if not given:
        raise attachments.no_such_attachment(str(request.key))
    attachment, opened = repository.open_attachment(ctx, given)
    if request.key not in (None, attachment.blob):
        raise attachments.no_such_attachment(str(request.key))
    if attachment.state is AttachmentState.READY:
        return AttachmentView.of(attachment)
    if request.base64 is None:
        repository.take_in(ctx, attachment)
    else:
        repository.put_in(ctx, attachment, rules.sent_inline(attachment, request.base64))
    tx = ctx.plan()
    ready = attachments.finish(tx, attachment)
    _announce(tx, ready, opened, is_added=True)
    return AttachmentView.of(ready)


@namespace.tool(
    effect=Effect.EXTERNAL_EXEC,
    for_runs=True,
    ungated="What was found can be shown in every mode.",
    costs=Cost(reads=2, writes=1, items=10).up_to(reads=3, items=13, because=KEPT_UP),
    emits=[ISSUE_ATTACHED, RUN_STARTED],
    asks=["attach a link", "add a URL to an issue", "reference a web page", "link a design or a document"],
)
def attach_link(request: AttachLink, ctx: Context) -> AttachmentView:
    """Attach a web address; without linkTitle, the page is asked for its own, and else its host is shown.

    A page that does not answer within 5 seconds is no failure. Refused, with or without a title, is what by
    itself names something private: other schemes, users or passwords, localhost, private addresses and names
    such as *.internal; people would follow it. For a file, use attachments.initUpload.
    Example: {"targetType": "issue", "targetId": "DEMO-1", "externalUrl": "https://example.com/design"}
    """
    host = rules.require_public(request.external_url)
    opened = repository.open_for_more(ctx, request.target_type, request.target_id)
    title = request.link_title or repository.title_of_page(ctx, request.external_url) or host
    attachment = a_link(ctx, opened.place, url=request.external_url, title=title)
    tx = ctx.plan()
    attachments.add(tx, attachment)
    room.take(tx, attachment, opened.known, opened.workspace)
    _announce(tx, attachment, opened, is_added=True)
    return AttachmentView.of(attachment)


@namespace.reads(
    costs=Cost(reads=2).up_to(reads=3, because="a comment leads to its issue"),
    asks=["which files are attached", "show the screenshots of an issue", "what links does an issue have"],
)
def list(request: ListAttachments, ctx: Context) -> Page[AttachmentView]:
    """List the files and links of an issue, comment, project, initiative or cycle, the oldest first.

    Files whose upload was not finalized are left out. Pass nextCursor as cursor for more.
    Example: {"targetType": "issue", "targetId": "DEMO-1"}
    """
    pager = Pager(Page[AttachmentView], request.fields)
    return pager.page(repository.read_list(ctx, request), AttachmentView.of)


@namespace.reads(
    costs=Cost(reads=2),
    asks=["download a file", "open an attachment", "get the URL of a file"],
)
def get_download_url(request: NamedAttachment, ctx: Context) -> DownloadUrl:
    """Return a URL from which a file can be fetched for 15 minutes, without a key.

    Whoever has the URL has the file, so pass it on with care. A small picture or text can be had inside an
    answer, with attachments.getInline. Example: {"attachmentId": "att_01J…"}
    """
    attachment, _ = repository.open_attachment(ctx, request.attachment_id)
    name = rules.require_file(attachment)
    url = ctx.services.store.blobs.url_to_get(
        name,
        content_type=served_type(attachment.mime_type),
        disposition=disposition(attachment.filename),
        seconds=URL_SECONDS,
    )
    return DownloadUrl.of(attachment, url=url, expires_in_seconds=URL_SECONDS)


@namespace.reads(
    costs=Cost(reads=2),
    artifact=Artifact.BINARY,
    content="base64",
    asks=["look at a picture", "read an attached file", "view what is in a file"],
)
def get_inline(request: GetInline, ctx: Context) -> InlineFile:
    """Return a small file for models that can't follow a URL: over MCP as picture or text, else as base64.

    Pictures (PNG, JPEG, GIF, WebP), PDF, text, Markdown, CSV, HTML, XML and JSON up to maxBytes, and 2 MiB at
    most. Anything else: attachments.getDownloadUrl. Example: {"attachmentId": "att_01J…"}
    """
    attachment, _ = repository.open_attachment(ctx, request.attachment_id)
    name = rules.require_file(attachment)
    rules.require_inline(attachment, most=request.max_bytes)
    content = ctx.services.store.blobs.get_bytes(name, most=attachment.size)
    return InlineFile.of(attachment, size_bytes=len(content), base64=b64encode(content).decode())


@namespace.writes(
    ungated="What was found can be shown in every mode.",
    destructive=True,
    costs=Cost(reads=3, writes=1, items=11).up_to(items=13, because=KEPT_UP),
    emits=[ISSUE_ATTACHED, RUN_STARTED],
    asks=["remove a file", "detach a link", "throw away a screenshot"],
)
def delete(request: NamedAttachment, ctx: Context) -> Done:
    """Remove a file with its bytes, or a link; its room is free at once. An upload is called off likewise.

    It can't be undone. Example: {"attachmentId": "att_01J…"}
    """
    attachment, opened = repository.open_attachment(ctx, request.attachment_id, is_going=True)
    tx = ctx.plan()
    attachments.discard(tx, attachment)
    room.give_back(tx, attachment)
    if attachment.state is AttachmentState.READY:
        _announce(tx, attachment, opened, is_added=False)
    else:
        _audit(tx, attachment, action="cancel-upload")
    repository.erase_afterwards(ctx, attachment.blob)
    return Done()


def _announce(tx: Transaction, attachment: AttachmentItem, opened: Opened, *, is_added: bool) -> None:
    """An issue tells of its own; of everything else the log alone knows."""
    action = "attach" if is_added else "detach"
    if opened.desk and opened.place.type is TargetType.ISSUE:
        change = begin_change(opened.desk)
        change.announce(ISSUE_ATTACHED, told_of(attachment, is_added=is_added), action=action)
        save(tx, change)
        return
    if opened.desk:
        heads.touch(tx, opened.desk.issue)
    _audit(tx, attachment, action=action)


def _audit(tx: Transaction, attachment: AttachmentItem, *, action: str) -> None:
    place = attachment.place
    events.record_change(
        tx, place.type.value, place.id, action=action, after=attachment, issue_id=place.issue_id
    )
