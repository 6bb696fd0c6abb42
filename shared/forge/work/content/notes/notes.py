"""Notes: what a person or an agent keeps for itself, and its journal, which has one entry for each day.

Nobody else ever sees them, so the log tells that one was written, and nothing of what it says.
"""

from datetime import datetime
from enum import StrEnum
from typing import Any

from forge.context import Context
from forge.errors import NotFound
from forge.store.items import DerivedItem, Item
from forge.store.keys import At, Key, Partition
from forge.store.places import In
from forge.store.transactions import Refusal, Transaction
from forge.work.record import texts
from forge.work.record.log import events
from forge.work.record.texts import KeptText
from forge.work.workspace.people.members import BELONGINGS

SHORT = 400
"""Characters of a text that lists show."""

_SUBJECT = "note"


class NoteKind(StrEnum):
    NOTE = "NOTE"
    JOURNAL = "JOURNAL"


class NoteStatus(StrEnum):
    IDEA = "IDEA"
    SOMEDAY = "SOMEDAY"
    ACTIVE = "ACTIVE"
    ARCHIVED = "ARCHIVED"


NOTES = Partition("WS#{workspace_id}#UPDATED#{kind}#{owner_id}")
ARCHIVED_NOTES = Partition("WS#{workspace_id}#UPDATED#{kind}#{owner_id}#ARCHIVED")
JOURNAL = Partition("WS#{workspace_id}#ACTOR#{owner_id}#JOURNAL")
_PINNED_FIRST = "{pinned:d}#{updated_at}#{id}"


class NoteItem(Item):
    """Everything but the text, of which it has the beginning: lists read this.

    It belongs to exactly one of user and agent: what an agent's key writes, the agent has.
    """

    # Each owner's are together, and nobody else's key leads there.
    stored = At(BELONGINGS, "NOTE#{id}")
    indexed = (
        In("updated", NOTES, _PINNED_FIRST, when="is_current"),
        In("updated", ARCHIVED_NOTES, _PINNED_FIRST, when="archived_at"),
        In("subject", JOURNAL, "{journal_date}#{id}", when="is_current"),
    )

    workspace_id: str
    id: str
    user_id: str | None = None
    agent_id: str | None = None
    title: str | None = None
    beginning: str = ""
    length: int = 0
    """Of the whole text, in characters."""
    pinned: bool = False
    kind: NoteKind = NoteKind.NOTE
    status: NoteStatus = NoteStatus.IDEA
    journal_date: str | None = None
    """A calendar day, as 2026-11-17."""
    archived_at: datetime | None = None
    created_at: datetime
    updated_at: datetime

    @property
    def is_current(self) -> bool:
        return self.archived_at is None

    @property
    def owner_id(self) -> str:
        return str(self.agent_id or self.user_id)

    @property
    def text_key(self) -> Key:
        return NoteTextItem.at(self.workspace_id, self.owner_id, self.id)

    @property
    def is_cut(self) -> bool:
        """Whether its beginning is not all of it."""
        return self.length > len(self.beginning)

    @property
    def has_day(self) -> bool:
        """Whether it is the entry of a day: one that is archived leaves its day to another."""
        return self.journal_date is not None and self.archived_at is None

    def saying(self, text: str) -> "NoteItem":
        """The same note with another text."""
        return self.changed(beginning=text[:SHORT], length=len(text))


class NoteTextItem(DerivedItem):
    """The text of a note, which is written only together with it."""

    stored = At(BELONGINGS, "TEXT#{note_id}")

    workspace_id: str
    owner_id: str
    note_id: str
    body: KeptText


class JournalDayItem(Item):
    """Which note is the entry of a day. It never changes."""

    # One place for each day, so that a second entry of that day finds it taken.
    stored = At(BELONGINGS, "JOURNAL#{day}")

    workspace_id: str
    owner_id: str
    day: str
    note_id: str


def begun(ctx: Context, text: str, **fields: Any) -> NoteItem:
    """A new note of the caller's."""
    agent_id, now = ctx.caller.agent_id, ctx.now()
    return NoteItem(
        workspace_id=ctx.caller.workspace_id,
        id=ctx.new_id("note"),
        user_id=None if agent_id else ctx.caller.user_id,
        agent_id=agent_id,
        created_at=now,
        updated_at=now,
        **fields,
    ).saying(text)


def written(ctx: Context, note: NoteItem, text: str) -> NoteTextItem:
    """The text of a note, which is kept from now on."""
    name = f"{note.workspace_id}/{note.id}/{ctx.new_id('txt')}"
    body = texts.keep(ctx.services.store.blobs, text, name=name)
    return NoteTextItem.of(note, note_id=note.id, body=body)


def add(tx: Transaction, note: NoteItem, text: NoteTextItem, *, day_taken: Refusal) -> None:
    """Store a new note; one that is to be the entry of a day is refused where the day has one."""
    tx.create(note)
    tx.overwrite(text)
    if note.has_day:
        tx.create(_day_of(note), refusal=day_taken)
    events.record_change(tx, _SUBJECT, note.id, action="create")


def save(
    tx: Transaction,
    before: NoteItem,
    changed: NoteItem,
    text: NoteTextItem | None,
    *,
    action: str,
    day_taken: Refusal | None = None,
) -> NoteItem:
    """Store a changed note, with its text if that is another; as it became.

    One that is to be the entry of its day again is refused where the day has one.
    """
    after = changed.changed(updated_at=tx.origin.now)
    tx.replace(after)
    if text:
        tx.keep_up(text)
    if before.has_day and not after.has_day:
        tx.delete(_day_of(before))
    if after.has_day and not before.has_day:
        tx.create(_day_of(after), refusal=day_taken)
    events.record_change(tx, _SUBJECT, after.id, action=action)
    return after


def no_such_note(note_id: str) -> NotFound:
    return NotFound(f"You have no note {note_id[:60]!r}.", hint="notes.list shows your notes.")


def _day_of(note: NoteItem) -> JournalDayItem:
    return JournalDayItem.of(note, day=str(note.journal_date), note_id=note.id)
