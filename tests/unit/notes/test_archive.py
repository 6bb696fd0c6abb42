"""What is archived is out of the way."""

from tests.workshop.notes import a_note
from tests.workshop.office import Office


def test_archiving_it_again_changes_nothing(office: Office) -> None:
    archived = office.call("notes.archive", {"id": a_note(office)["id"]})
    logged = office.log()
    office.world.clock.advance(minutes=1)

    assert office.call("notes.archive", {"id": archived["id"]}) == archived
    assert office.log() == logged


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
