"""A note is changed by its owner, until it is archived."""

from tests.workshop.notes import a_note
from tests.workshop.office import Office

LONG = "\N{MEMO}" * 50_000


def whole(office: Office, note_id: str) -> str:
    (row,) = office.rows("notes.list", {"id": note_id, "include": ["body"]})
    return str(row["body"])


def test_what_is_left_out_stays(office: Office) -> None:
    note = a_note(office, title="Old", pinned=True)
    office.world.clock.advance(minutes=1)

    changed = office.call("notes.update", {"id": note["id"], "body": "Another thought.", "status": "ACTIVE"})

    news = {"body": "Another thought.", "status": "ACTIVE", "updatedAt": changed["updatedAt"]}
    assert changed == note | news
    assert changed["updatedAt"] > note["updatedAt"]
    assert office.rows("notes.list") == [changed]


def test_a_title_is_emptied_by_clear_or_by_a_blank(office: Office) -> None:
    for emptied in ({"clear": ["title"]}, {"title": " "}):
        note = a_note(office, title="Old")
        assert office.call("notes.update", {"id": note["id"], **emptied})["title"] is None
    kept = office.call("notes.update", {"id": a_note(office, title="Old")["id"], "title": None})
    assert kept["title"] == "Old"


def test_a_body_becomes_long_and_short_again(office: Office) -> None:
    note = a_note(office)

    longer = office.call("notes.update", {"id": note["id"], "body": LONG})
    assert (longer["body"], longer["truncated"], whole(office, note["id"])) == (LONG[:400], True, LONG)

    shorter = office.call("notes.update", {"id": note["id"], "body": "Short."})
    assert (shorter["body"], "truncated" in shorter, whole(office, note["id"])) == ("Short.", False, "Short.")


def test_an_archived_note_stays_as_it_is(office: Office) -> None:
    note = a_note(office)
    archived = office.call("notes.archive", {"id": note["id"]})

    assert office.refused("notes.update", {"id": note["id"], "body": "No."}) == (409, "conflict", set())
    assert office.rows("notes.list", {"archived": True}) == [archived]


def test_a_person_brings_an_archived_note_back(office: Office) -> None:
    note = a_note(office)
    office.call("notes.archive", {"id": note["id"]})

    back = office.call("notes.update", {"id": note["id"], "status": "ACTIVE", "body": "Again."})

    assert (back["status"], back.get("archivedAt"), back["body"]) == ("ACTIVE", None, "Again.")
    assert office.rows("notes.list") == [back]
    assert office.rows("notes.list", {"archived": True}) == []


def test_an_agent_brings_none_back(office: Office) -> None:
    key = office.an_agents_key()
    note_id = office.call("notes.create", {"body": "Mine."}, key=key)["id"]
    office.call("notes.archive", {"id": note_id}, key=key)

    refused = office.refused("notes.update", {"id": note_id, "status": "ACTIVE"}, key=key)

    assert refused == (409, "conflict", set())


def test_an_entry_comes_back_only_to_a_day_that_is_free(office: Office) -> None:
    first = office.call("notes.todayJournal")
    office.call("notes.archive", {"id": first["id"]})
    second = office.call("notes.todayJournal")
    back = {"id": first["id"], "status": "ACTIVE"}

    assert office.refused("notes.update", back) == (409, "conflict", set())
    office.call("notes.archive", {"id": second["id"]})
    office.call("notes.update", back)

    assert office.call("notes.todayJournal")["id"] == first["id"]


def test_two_changes_at_once_are_both_kept(office: Office) -> None:
    note_id = a_note(office)["id"]
    office.meanwhile(lambda: office.call("notes.update", {"id": note_id, "body": "Theirs."}))

    office.call("notes.update", {"id": note_id, "title": "Mine"})

    (note,) = office.rows("notes.list")
    assert (note["title"], note["body"], whole(office, note_id)) == ("Mine", "Theirs.", "Theirs.")
