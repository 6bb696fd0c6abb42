"""Drafts: replies that appear while they are written. What whoever follows is shown is gone after an hour."""

from datetime import datetime, timedelta
from enum import StrEnum

from forge.contract.models import Model, Omittable
from forge.errors import Conflict, NotFound
from forge.store.items import Item
from forge.store.keys import At, Partition
from forge.store.places import KeptFor
from forge.store.transactions import Transaction, overtaken
from forge.work.content.chat.threads import ThreadItem

PARTS_KEPT = timedelta(hours=1)
WRITABLE = timedelta(hours=24)
"""For how long a draft can be written on, and finalized."""


class DraftStatus(StrEnum):
    OPEN = "OPEN"
    FINALIZED = "FINALIZED"


class DraftPhase(StrEnum):
    STARTED = "started"
    DELTA = "delta"
    FINALIZED = "finalized"


STREAM = Partition("WS#{workspace_id}#THREAD#{thread_id}#STREAM")
"""What is gone after a while: drafts and their parts. Apart from the thread, which stays."""


class DraftItem(Item):
    stored = At(STREAM, "D#{id}")
    kept = KeptFor(since="ends_at")

    workspace_id: str
    thread_id: str
    id: str
    agent_id: str
    status: DraftStatus = DraftStatus.OPEN
    message_id: str | None = None
    """The message that the draft became when it was finalized."""
    ends_at: datetime


class DraftPart(Model):
    """One step of a draft, as whoever follows the thread is told of it."""

    phase: DraftPhase
    thread_id: str
    agent_id: str
    draft_id: str
    delta: Omittable[str] = None
    seq: Omittable[int] = None
    message_id: Omittable[str] = None


class PartItem(Item):
    stored = At(STREAM, "P#{created_at}#{id}")
    kept = KeptFor(PARTS_KEPT, since="created_at")

    workspace_id: str
    thread_id: str
    id: str
    phase: DraftPhase
    agent_id: str
    draft_id: str
    delta: str | None = None
    seq: int | None = None
    message_id: str | None = None
    created_at: datetime


class NumberedItem(Item):
    """There is a chunk of this number. It never changes."""

    # One place for each number that the writer of a draft gives, so that a chunk sent again finds it.
    stored = At(STREAM, "S#{draft_id}#{seq}")
    kept = KeptFor(since="ends_at")

    workspace_id: str
    thread_id: str
    draft_id: str
    seq: int
    ends_at: datetime


def require_writable(draft: DraftItem | None, *, draft_id: str, now: datetime) -> DraftItem:
    """A draft that can still become a message."""
    if draft is None or draft.ends_at <= now:
        raise NotFound(
            f"There is no draft {draft_id[:60]!r} in this thread.",
            hint="Begin another with chat.startDraft, or say it at once with chat.appendMessage.",
        )
    if draft.status is not DraftStatus.OPEN:
        raise Conflict(
            f"This draft was finalized as message {draft.message_id}.",
            hint="A new reply is a new draft: chat.startDraft.",
            details={"messageId": draft.message_id},
        )
    return draft


def begin(tx: Transaction, thread: ThreadItem) -> DraftItem:
    draft = DraftItem(
        workspace_id=thread.workspace_id,
        thread_id=thread.id,
        id=tx.origin.new_id("drf"),
        agent_id=thread.agent_id,
        ends_at=tx.origin.now + WRITABLE,
    )
    tx.create(draft)
    _tell(tx, draft, DraftPhase.STARTED)
    return draft


def append(tx: Transaction, draft: DraftItem, delta: str, *, seq: int, is_own_number: bool) -> None:
    """Store a chunk; the number that its writer gave stays taken, so that it is stored once."""
    # Whoever finalized it, or stored this very chunk, was faster: then it is decided again.
    tx.require(draft.key, holding={"status": DraftStatus.OPEN}, refusal=overtaken)
    if is_own_number:
        tx.create(NumberedItem.of(draft, draft_id=draft.id, seq=seq), refusal=overtaken)
    _tell(tx, draft, DraftPhase.DELTA, delta=delta, seq=seq)


def finalize(tx: Transaction, draft: DraftItem, message_id: str) -> None:
    tx.replace(draft.changed(status=DraftStatus.FINALIZED, message_id=message_id))
    _tell(tx, draft, DraftPhase.FINALIZED, message_id=message_id)


def _tell(tx: Transaction, draft: DraftItem, phase: DraftPhase, **more: object) -> None:
    part_id, now = tx.origin.new_id("prt"), tx.origin.now
    tx.create(PartItem.of(draft, id=part_id, phase=phase, draft_id=draft.id, created_at=now, **more))
