"""What is archived is out of the way."""

from tests.workshop.office import Office


def test_an_archived_entry_leaves_its_day_to_another(office: Office) -> None:
    first = office.call("notes.todayJournal")
    office.call("notes.archive", {"id": first["id"]})

    second = office.call("notes.todayJournal")

    assert second["id"] != first["id"]
    assert office.rows("notes.listJournal") == [second]


def test_a_note_can_be_written_for_the_archive(office: Office) -> None:
    note = office.call("notes.create", {"body": "For the record.", "status": "ARCHIVED"})

    assert note["archivedAt"] == note["createdAt"]
    assert office.rows("notes.list", {"archived": True}) == [note]
