"""What may become of a note."""

from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest

from forge.errors import Conflict, InvalidInput
from forge.testing.clock import NOON
from forge.work.content.notes.notes import SHORT, JournalDayItem, NoteItem, NoteKind, NoteStatus
from forge.work.workspace.people.zones import day_of
from functions.notes import rules


def a_note(**fields: Any) -> NoteItem:
    usual = {"workspace_id": "ws_1", "id": "note_1", "user_id": "usr_1", "title": "Old"}
    return NoteItem.model_validate(usual | {"created_at": NOON, "updated_at": NOON} | fields)


def test_it_is_one_of_three_days_wherever_one_is() -> None:
    late = datetime(2026, 11, 30, 23, 30, tzinfo=UTC)

    around = rules.days_around(late)

    assert around == ["2026-11-29", "2026-11-30", "2026-12-01"]
    for hours in range(-12, 15):
        assert day_of(late, timezone(timedelta(hours=hours))).isoformat() in around


def test_only_the_journal_has_days() -> None:
    today, other = date(2026, 11, 17), date(2026, 1, 5)

    assert rules.day_of_entry(NoteKind.JOURNAL, None, today=today) == "2026-11-17"
    assert rules.day_of_entry(NoteKind.JOURNAL, other, today=today) == "2026-01-05"
    assert rules.day_of_entry(NoteKind.NOTE, None, today=today) is None
    with pytest.raises(InvalidInput):
        rules.day_of_entry(NoteKind.NOTE, other, today=today)


def test_a_blank_title_is_none() -> None:
    assert rules.edited(a_note(), {"title": "", "pinned": True}, is_person=False) == a_note(
        title=None, pinned=True
    )
    assert rules.edited(a_note(), {"pinned": True}, is_person=False).title == "Old"


def test_what_is_archived_stays_as_it_is() -> None:
    archived = rules.archived(a_note(), NOON)

    assert (archived.archived_at, archived.status) == (NOON, NoteStatus.ARCHIVED)
    assert rules.archived(archived, NOON + timedelta(hours=1)) == archived
    with pytest.raises(Conflict):
        rules.edited(archived, {"pinned": True}, is_person=True)


def test_only_people_bring_back_what_is_archived_and_say_what_it_is_to_be() -> None:
    archived = rules.archived(a_note(), NOON)
    given = {"status": NoteStatus.ACTIVE, "pinned": True}

    assert rules.edited(archived, given, is_person=True) == a_note(status=NoteStatus.ACTIVE, pinned=True)
    with pytest.raises(Conflict):
        rules.edited(archived, given, is_person=False)


def test_a_note_knows_how_its_text_begins_and_whether_it_goes_on() -> None:
    short, long = a_note().saying("s" * SHORT), a_note().saying("l" * (SHORT + 1))

    assert (short.beginning, short.is_cut) == ("s" * SHORT, False)
    assert (long.beginning, long.is_cut) == ("l" * SHORT, True)


def test_a_day_that_has_an_entry_names_it() -> None:
    taken = JournalDayItem(workspace_id="ws_1", owner_id="usr_1", day="2026-11-17", note_id="note_9")

    refusal = rules.day_taken(taken.attributes())

    assert isinstance(refusal, Conflict)
    assert refusal.details == {"noteId": "note_9"}
