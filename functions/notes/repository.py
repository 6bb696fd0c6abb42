"""Reading one's own notes: one of them, a page of them, and the entry of a day."""

from collections.abc import Mapping

from forge.auth.actors import identity_of
from forge.context import Context
from forge.store.cursors import bad_cursor
from forge.store.pages import Found, Placed, read_page
from forge.store.readings import Readings
from forge.store.walks import one_partition
from forge.work.content.notes import notes
from forge.work.content.notes.notes import (
    ARCHIVED_NOTES,
    JOURNAL,
    NOTES,
    JournalDayItem,
    NoteItem,
    NoteTextItem,
)
from forge.work.issues.pages.sizes import how_many_at_most
from forge.work.record import texts
from forge.work.workspace.people.names import MAX_NAMES
from forge.work.workspace.people.zones import day_of, keys_of_zone, zone_in
from functions.notes import rules
from functions.notes.models import ListJournal, ListNotes

# Entries are placed by their day, a `#` and an id; this comes after all of the day before it.
_AFTER_IDS = "$"


def get(ctx: Context, note_id: str, *, with_text: bool = False) -> tuple[NoteItem, str | None]:
    """One of the caller's own notes, and its text if that is wanted; one request."""
    owner_id, workspace_id = identity_of(ctx.caller), ctx.caller.workspace_id
    key = NoteItem.at(workspace_id, owner_id, note_id)
    wanted = [NoteTextItem.at(workspace_id, owner_id, note_id)] if with_text else []
    readings = ctx.table.read([key, *wanted])
    note = readings.find(NoteItem, key)
    if note is None:
        raise notes.no_such_note(note_id)
    return note, _text_of(ctx, readings, note) if with_text else None


def find_today(ctx: Context) -> tuple[str, NoteItem | None, str]:
    """Which day it is for the caller, and its entry with the text, if there is one; two requests."""
    owner_id, workspace_id = identity_of(ctx.caller), ctx.caller.workspace_id
    now = ctx.now()
    days = {day: JournalDayItem.at(workspace_id, owner_id, day) for day in rules.days_around(now)}
    readings = ctx.table.read([*keys_of_zone(ctx.caller), *days.values()])
    today = day_of(now, zone_in(readings, ctx.caller)).isoformat()
    entry = readings.find(JournalDayItem, days[today])
    if entry is None:
        return today, None, ""
    note, text = get(ctx, entry.note_id, with_text=True)
    return today, note, text or ""


def read_list(ctx: Context, request: ListNotes) -> Found[NoteItem]:
    """Pinned ones first, then the one that changed last."""
    if request.id:
        if request.cursor:
            # One note has no second page.
            raise bad_cursor()
        note, _ = get(ctx, request.id)
        return Found([Placed(note, note.id)], None, is_truncated=False, cursor_of=str)
    piles = ARCHIVED_NOTES if request.archived else NOTES
    pile = piles(ctx.caller.workspace_id, request.kind, identity_of(ctx.caller))
    listing = one_partition(pile, "updated", is_descending=True)
    return read_page(ctx.table, NoteItem, listing, request)


def read_journal(ctx: Context, request: ListJournal) -> Found[NoteItem]:
    """The last day first; both bounds are included."""
    partition = JOURNAL(ctx.caller.workspace_id, identity_of(ctx.caller))
    start = f"{request.to.isoformat()}{_AFTER_IDS}" if request.to else ""
    end = request.from_.isoformat() if request.from_ else ""
    listing = one_partition(partition, "subject", start=start, end=end, is_descending=True)
    return read_page(ctx.table, NoteItem, listing, request)


def with_texts(ctx: Context, found: Found[NoteItem]) -> tuple[Found[NoteItem], Mapping[str, str]]:
    """As many notes as can be sent with their whole texts, and these by id; one request."""
    fitting = found.first(min(how_many_at_most(note.length for note in found.items), MAX_NAMES))
    readings = ctx.table.read(note.text_key for note in fitting.items)
    return fitting, {note.id: _text_of(ctx, readings, note) for note in fitting.items}


def _text_of(ctx: Context, readings: Readings, note: NoteItem) -> str:
    return texts.read(ctx.services.store.blobs, readings.get(NoteTextItem, note.text_key).body)
