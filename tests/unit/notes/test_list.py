"""One's own notes: pinned ones first, then the one that changed last."""

from tests.workshop.notes import a_note
from tests.workshop.office import Office


def test_pinned_ones_come_first_then_the_one_that_changed_last(office: Office) -> None:
    pinned, first, second = a_note(office, pinned=True), a_note(office), a_note(office)
    office.world.clock.advance(minutes=1)

    changed = office.call("notes.update", {"id": first["id"], "title": "Again"})

    assert office.rows("notes.list") == [pinned, changed, second]


def test_archived_ones_are_listed_apart_and_kinds_too(office: Office) -> None:
    note, entry = a_note(office), a_note(office, kind="JOURNAL", journalDate="2026-03-02")
    put_away = office.call("notes.archive", {"id": a_note(office)["id"]})

    assert office.rows("notes.list") == [note]
    assert office.rows("notes.list", {"archived": True}) == [put_away]
    assert office.rows("notes.list", {"kind": "JOURNAL"}) == [entry]


def test_whole_bodies_come_as_far_as_an_answer_goes(office: Office) -> None:
    notes = [a_note(office, letter * 30_000) for letter in "abc"]

    page = office.call("notes.list", {"include": ["body"]})
    rest = office.call("notes.list", {"include": ["body"], "cursor": page["nextCursor"]})
    slim = office.call("notes.list", {"include": ["body"], "fields": ["title"]})

    assert [(row["id"], row["body"]) for row in page["data"]] == [(notes[2]["id"], "c" * 30_000)]
    assert page["truncated"] is True
    assert rest["data"][0]["body"] == "b" * 30_000
    assert slim["data"] == [{"id": note["id"], "title": None} for note in reversed(notes)]


def test_one_note_is_found_by_its_id_whatever_became_of_it(office: Office) -> None:
    entry = a_note(office, kind="JOURNAL", journalDate="2026-03-02")
    archived = office.call("notes.archive", {"id": entry["id"]})

    assert office.rows("notes.list", {"id": entry["id"]}) == [archived]


def test_nobody_finds_anothers_notes(office: Office, other_office: Office) -> None:
    note = a_note(office, "Mine alone.")
    strangers = [office.a_colleague("OWNER").key, office.an_agents_key()]

    for key in strangers:
        assert office.rows("notes.list", key=key) == []
        for tool in ("notes.list", "notes.update", "notes.archive"):
            assert office.refused(tool, {"id": note["id"]}, key=key) == (404, "not_found", set())
    assert other_office.refused("notes.list", {"id": note["id"]}) == (404, "not_found", set())
    assert office.rows("notes.list") == [note]
