"""What issues tell of their attachments."""

from forge.contract.effects import Emission, Told
from forge.work.content.attachments.attachments import AttachmentItem, AttachmentKind
from forge.work.issues.announcements import ISSUE
from forge.work.record.log.kinds import EventKind


class AttachedThing(Told):
    id: str
    kind: AttachmentKind
    filename: str
    mime_type: str
    size: int


class AttachmentTold(Told):
    attachment: AttachedThing
    added: bool | None = None
    removed: bool | None = None


ISSUE_ATTACHED = Emission(EventKind.ISSUE_UPDATED, ISSUE, AttachmentTold)


def told_of(attachment: AttachmentItem, *, is_added: bool) -> AttachmentTold:
    thing = AttachedThing.of(attachment)
    return (
        AttachmentTold(attachment=thing, added=True)
        if is_added
        else AttachmentTold(attachment=thing, removed=True)
    )
