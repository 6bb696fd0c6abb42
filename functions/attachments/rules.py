"""What may be done with an attachment, as it is and as the bucket has it."""

from base64 import b64decode

from forge.errors import Conflict, InvalidInput, PayloadTooLarge
from forge.outbound.addresses import Disallowed
from forge.outbound.targets import target_of
from forge.store.blobs import Stored
from forge.work.content.attachments.attachments import AttachmentItem, AttachmentKind, AttachmentState
from forge.work.content.attachments.media import INLINE, MAX_INLINE, plain_type

_BY_URL = "attachments.getDownloadUrl gives a URL for it."


def require_public(url: str) -> str:
    """That a link does not by itself name something private: people would follow it. Its host."""
    try:
        return target_of(url).host
    except Disallowed as refusal:
        wrong = f"{refusal} Give a public web address."
        raise InvalidInput("This URL can't be attached.", issues={"externalUrl": wrong}) from None


def require_whole(attachment: AttachmentItem, stored: Stored | None) -> None:
    """That the bytes which were announced are there."""
    if stored is None:
        raise Conflict(
            "Its bytes have not arrived.",
            hint="PUT them to the uploadUrl with the headers that came with it, then finalize again.",
        )
    if stored.size != attachment.size or plain_type(stored.content_type) != attachment.mime_type:
        raise Conflict(
            f"What arrived is {stored.size} bytes of {stored.content_type[:60]!r}, "
            f"and {attachment.size} of {attachment.mime_type!r} were announced.",
            hint="Send it again as announced, or begin anew with attachments.initUpload.",
        )


def sent_inline(attachment: AttachmentItem, base64: str) -> bytes:
    """The bytes that a call brought along; refused where they are not what was announced."""
    try:
        content = b64decode(base64, validate=True)
    except ValueError:
        raise InvalidInput("These bytes can't be read.", issues={"base64": "must be base64"}) from None
    require_whole(attachment, Stored(len(content), attachment.mime_type))
    return content


def require_file(attachment: AttachmentItem) -> str:
    """That there is something to download; the name of its object."""
    if attachment.kind is AttachmentKind.LINK or attachment.blob is None:
        raise InvalidInput(
            "This is a link, and no file.",
            issues={"attachmentId": "attachments.list shows where the link leads: its url."},
        )
    if attachment.state is not AttachmentState.READY:
        raise Conflict(
            "This file has not been finalized.", hint="Call attachments.finalize when its bytes are sent."
        )
    return attachment.blob


def require_inline(attachment: AttachmentItem, *, most: int) -> None:
    """That the file can be sent inside an answer."""
    if attachment.mime_type not in INLINE:
        raise InvalidInput(
            f"Files of type {attachment.mime_type} are not sent inline.",
            issues={"attachmentId": f"Inline are {', '.join(sorted(INLINE))}."},
            hint=_BY_URL,
        )
    if attachment.size > min(most, MAX_INLINE):
        larger = "" if attachment.size > MAX_INLINE else "Ask with a larger maxBytes, or by URL: "
        raise PayloadTooLarge(
            f"This file has {attachment.size} bytes, and at most {min(most, MAX_INLINE)} are sent inline.",
            hint=larger + _BY_URL,
        )
