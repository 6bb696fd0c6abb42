"""What the sweep does about files that never came, and about objects that nobody wants any more."""

from forge.store.keys import Key
from forge.work.content.attachments import attachments, room
from forge.work.content.attachments.attachments import AttachmentItem, AttachmentState
from forge.work.content.attachments.media import upload_name
from forge.work.record.log import events
from forge.work.workspace.workers import Worker


def purge(worker: Worker, key: Key) -> bool:
    """First nobody may want the object any more, then it goes, and last what remembers it.

    In this order a crash leaves work for the next sweep, and never an attachment without its bytes, nor bytes
    that nobody knows of.
    """
    table = worker.store.table
    found = table.find(AttachmentItem, key)
    if found is None or found.look_at is None or found.look_at > worker.now:
        return False
    if found.state is AttachmentState.PENDING:
        _give_up(worker, found)
        found = table.find(AttachmentItem, key)
    if found is None or found.blob is None or found.state is not AttachmentState.DISCARDED:
        return False
    for name in (found.blob, upload_name(found.blob)):
        worker.store.blobs.delete(name)
    tx = worker.begin(found.workspace_id)
    tx.delete(found)
    worker.store.commit(tx)
    return True


def _give_up(worker: Worker, attachment: AttachmentItem) -> None:
    tx = worker.begin(attachment.workspace_id)
    attachments.discard(tx, attachment)
    room.give_back(tx, attachment)
    events.record_change(
        tx, "attachment", attachment.id, action="expire", before=attachment, issue_id=attachment.issue_id
    )
    worker.store.commit(tx)
