"""The notes' tools."""

from datetime import UTC

from forge.context import Context
from forge.contract.days import require_in_order
from forge.contract.effects import Cost
from forge.contract.models import NoArguments, Page
from forge.contract.tools import Namespace
from forge.store.pages import Found
from forge.store.transactions import overtaken
from forge.work.content.notes import notes
from forge.work.content.notes.notes import NoteItem, NoteKind, NoteStatus
from forge.work.issues.pages.listing import Pager
from forge.work.workspace.people.zones import day_of, keys_of_zone, zone_in
from functions.notes import repository, rules
from functions.notes.models import ArchiveNote, CreateNote, ListJournal, ListNotes, NoteView, UpdateNote

namespace = Namespace("notes", "Keep notes and a journal that only you see.")


@namespace.writes(
    costs=Cost(reads=1, writes=1, items=5),
    asks=[
        "jot something down",
        "remember this for later",
        "a memo to myself",
        "note for yourself",
        "keep a private note",
    ],
)
def create(request: CreateNote, ctx: Context) -> NoteView:
    """Write a note for yourself and return it; a body over 400 characters comes back cut.

    Nobody else sees it: to tell somebody something, use comments.create. With kind JOURNAL it is the entry of
    a day, today unless you say journalDate; a day that has one is a conflict, whose details name it.
    Example: {"title": "Flaky test", "body": "test_login fails on Mondays.", "pinned": true}
    """
    is_of_today = request.kind is NoteKind.JOURNAL and request.journal_date is None
    zone = zone_in(ctx.table.read(keys_of_zone(ctx.caller)), ctx.caller) if is_of_today else UTC
    note = notes.begun(
        ctx,
        request.body,
        title=request.title or None,
        journal_date=rules.day_of_entry(request.kind, request.journal_date, today=day_of(ctx.now(), zone)),
        **request.model_dump(include={"pinned", "kind", "status"}),
    )
    if request.status is NoteStatus.ARCHIVED:
        note = rules.archived(note, ctx.now())
    text = notes.written(ctx, note, request.body)
    tx = ctx.plan()
    notes.add(tx, note, text, day_taken=rules.day_taken)
    return _view(note)


@namespace.reads(
    costs=Cost(reads=2),
    asks=["what did I write down", "look through notes", "what is in the scratchpad"],
)
def list(request: ListNotes, ctx: Context) -> Page[NoteView]:
    """List your own notes: pinned ones first, then the one that changed last.

    Bodies are cut at 400 characters, as `truncated` says: {"include": ["body"]} gives whole ones, and with
    an id that of one note. Journal entries come with kind JOURNAL, or by day from notes.listJournal. Pass
    nextCursor as cursor for more. Example: {"limit": 10}
    """
    pager = Pager(Page[NoteView], request.fields)
    found = repository.read_list(ctx, request)
    return _page(ctx, pager, found, is_whole="body" in request.include)


@namespace.writes(
    idempotent=True,
    costs=Cost(reads=1, writes=1, items=5),
    asks=["reword it", "pin a note", "another title", "write into the journal", "unarchive a note"],
)
def update(request: UpdateNote, ctx: Context) -> NoteView:
    """Change one of your notes and return it; what is left out stays, and a body is replaced as a whole.

    A blank title is none. An archived note is a conflict, unless a person gives it a status, which brings it
    back; a journal entry only if its day has no other. Example: {"id": "note_01J…", "pinned": false}
    """
    note, said = repository.get(ctx, request.id, with_text=request.body is not None)
    given = {name: one for name, one in request.given().items() if name not in _APART}
    changed = rules.edited(note, given, is_person=ctx.caller.agent_id is None)
    text = None
    if request.body is not None and request.body != said:
        changed, text = changed.saying(request.body), notes.written(ctx, note, request.body)
    if changed == note and text is None:
        return _view(note)
    tx = ctx.plan()
    return _view(notes.save(tx, note, changed, text, action="update", day_taken=rules.day_taken))


@namespace.writes(
    idempotent=True,
    costs=Cost(reads=1, writes=1, items=4),
    asks=["put a note away", "discard what I wrote down"],
)
def archive(request: ArchiveNote, ctx: Context) -> NoteView:
    """Archive one of your notes and return it: lists leave it out, unless you ask for archived ones.

    Archiving it again does no harm. Only people bring it back, with notes.update and a status. The day of a
    journal entry is free again.
    Example: {"id": "note_01J…"}
    """
    note, _ = repository.get(ctx, request.id)
    changed = rules.archived(note, ctx.now())
    if changed == note:
        return _view(note)
    tx = ctx.plan()
    return _view(notes.save(tx, note, changed, None, action="archive"))


@namespace.writes(
    idempotent=True,
    name="todayJournal",
    costs=Cost(reads=1, writes=1, items=5).up_to(reads=2, because="an entry that is there is read"),
    asks=["open the diary", "daily log", "the page of this day"],
)
def today_journal(request: NoArguments, ctx: Context) -> NoteView:
    """Return today's entry of your journal with its whole body, and make an empty one if there is none.

    Today is what the calendar says in your own time zone, UTC for agents. Write into it with notes.update and
    its id. Example: {}
    """
    today, note, text = repository.find_today(ctx)
    if note is not None:
        return _view(note, text)
    note = notes.begun(ctx, "", kind=NoteKind.JOURNAL, journal_date=today)
    tx = ctx.plan()
    # Whoever made the entry meanwhile made this one.
    notes.add(tx, note, notes.written(ctx, note, ""), day_taken=overtaken)
    return _view(note, "")


@namespace.reads(
    name="listJournal",
    costs=Cost(reads=2),
    asks=["what did I do last week", "read the diary", "earlier days of the log", "journal of past days"],
)
def list_journal(request: ListJournal, ctx: Context) -> Page[NoteView]:
    """List the entries of your journal, the last day first; `from` and `to` are days, and both count.

    Bodies are cut at 400 characters unless you say {"include": ["body"]}. Archived entries are left out.
    Example: {"from": "2026-11-01", "to": "2026-11-30"}
    """
    pager = Pager(Page[NoteView], request.fields)
    require_in_order(request.from_, request.to)
    found = repository.read_journal(ctx, request)
    return _page(ctx, pager, found, is_whole="body" in request.include)


_APART = frozenset({"id", "body"})


def _page(
    ctx: Context, pager: Pager[Page[NoteView]], found: Found[NoteItem], *, is_whole: bool
) -> Page[NoteView]:
    if not is_whole or not pager.shows("body"):
        return pager.page(found, _view)
    fitting, whole = repository.with_texts(ctx, found)
    return pager.page(fitting, lambda note: _view(note, whole[note.id]))


def _view(note: NoteItem, text: str | None = None) -> NoteView:
    """With its whole text where that was read, else with the beginning."""
    if text is not None:
        return NoteView.of(note, body=text, truncated=None)
    return NoteView.of(note, body=note.beginning, truncated=note.is_cut or None)
