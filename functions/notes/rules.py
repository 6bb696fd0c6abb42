"""What may become of a note, without a table or a clock."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any

from forge.errors import Conflict, InvalidInput
from forge.work.content.notes.notes import JournalDayItem, NoteItem, NoteKind, NoteStatus


def days_around(now: datetime) -> list[str]:
    """The dates that it is somewhere on earth at this moment."""
    today = now.astimezone(UTC).date()
    return [(today + timedelta(days=distance)).isoformat() for distance in (-1, 0, 1)]


def day_of_entry(kind: NoteKind, given: date | None, *, today: date) -> str | None:
    """Which day a new note is the entry of; None where it is no entry of the journal."""
    if kind is NoteKind.JOURNAL:
        return (given or today).isoformat()
    if given is not None:
        raise InvalidInput(
            "Only the journal has days.", issues={"journalDate": 'Say "kind": "JOURNAL", or leave it out.'}
        )
    return None


def edited(note: NoteItem, given: Mapping[str, Any], *, is_person: bool) -> NoteItem:
    """The note with another title, pin or status; a blank title is none.

    A status brings one back that was archived: people decide that, agents never do.
    """
    if note.archived_at is not None:
        if not is_person:
            raise _stays("Write a new one with notes.create; only people bring archived ones back.")
        if not given.get("status"):
            raise _stays('Bring it back by saying what it is to be, e.g. "status": "ACTIVE".')
        note = note.changed(archived_at=None)
    if "title" in given:
        given = {**given, "title": given["title"] or None}
    return note.changed(**given)


def archived(note: NoteItem, now: datetime) -> NoteItem:
    """The note as it is once archived; an archived one stays as it is."""
    if note.archived_at is not None:
        return note
    return note.changed(archived_at=now, status=NoteStatus.ARCHIVED)


def day_taken(taken: Mapping[str, Any] | None) -> Exception:
    """Why a second entry of a day is refused."""
    known = JournalDayItem.from_attributes(taken) if taken else None
    return Conflict(
        "Your journal has an entry for this day.",
        hint=f'Change it: notes.update {{"id": "{known.note_id}", "body": …}}.' if known else None,
        details={"noteId": known.note_id} if known else None,
    )


def _stays(hint: str) -> Conflict:
    return Conflict("This note is archived, so it stays as it is.", hint=hint)
