"""How much room attachments take, and never more: in bytes by workspace, in number by target."""

from forge.errors import DomainError, PreconditionFailed
from forge.store.items import Item
from forge.store.keys import At, Key
from forge.store.readings import Readings
from forge.store.transactions import Transaction, overtaken
from forge.work.content.attachments.attachments import AttachmentItem, AttachmentPlace
from forge.work.issues.desks import Desk
from forge.work.workspace.workspaces import WorkspaceItem

MAX_OF_TARGET = 100
"""Files and links: an issue is read together with all of its own."""

_MIB = 1024 * 1024

OF_TARGET = At("WS#{workspace_id}#REF#{target_type}#{target_id}#attachments", "REF")


class RoomItem(Item):
    """How much there is of something. It changes without a version, and only within its limit."""

    stored = At("WS#{workspace_id}#STORAGE", "BYTES", held_in=("pk", "sk"))

    pk: str
    sk: str
    taken: int


def keys_of(workspace_id: str, place: AttachmentPlace) -> list[Key]:
    """The keys to read before an attachment takes room: the workspace's total and the target's count."""
    return [RoomItem.at(workspace_id), OF_TARGET(workspace_id, place.type, place.id)]


def take(
    tx: Transaction, attachment: AttachmentItem, known: Desk | Readings, workspace: WorkspaceItem
) -> None:
    """Refused where there is not enough; those who take some at once never take more together."""
    stored, count = keys_of(attachment.workspace_id, attachment.place)
    full = PreconditionFailed(
        f"Nothing can have more than {MAX_OF_TARGET} attachments.",
        hint="Remove one with attachments.delete, or put several files into an archive.",
    )
    _take(tx, known, count, 1, most=MAX_OF_TARGET, refusal=full)
    if attachment.size:
        quota = workspace.attachment_quota_mb
        over = PreconditionFailed(
            f"This file would take more than the {quota} MiB that the workspace has for attachments.",
            hint="attachments.delete makes room; an admin can raise attachmentQuotaMb.",
            details={"attachmentQuotaMb": quota},
        )
        _take(tx, known, stored, attachment.size, most=quota * _MIB, refusal=over)


def give_back(tx: Transaction, attachment: AttachmentItem) -> None:
    stored, count = keys_of(attachment.workspace_id, attachment.place)
    tx.adjust(count, add={"taken": -1})
    if attachment.size:
        tx.adjust(stored, add={"taken": -attachment.size})


def _take(
    tx: Transaction, known: Desk | Readings, key: Key, amount: int, *, most: int, refusal: DomainError
) -> None:
    held = known.find(RoomItem, key)
    if (held.taken if held else 0) + amount > most:
        raise refusal
    if held is None:
        # Somebody else who was first makes all be decided again.
        tx.create(RoomItem(pk=key.partition, sk=key.sort, taken=amount), refusal=overtaken)
        return
    tx.adjust(key, add={"taken": amount}, below={"taken": most - amount + 1}, refusal=refusal)
