"""The journal by its days, the last first."""

from tests.workshop.notes import a_note
from tests.workshop.office import Body, Office


def entries(office: Office, *days: int) -> list[Body]:
    """Of these days of March."""
    return [a_note(office, kind="JOURNAL", journalDate=f"2026-03-{day:02}") for day in days]


def days(rows: list[Body]) -> list[int]:
    return [int(row["journalDate"][-2:]) for row in rows]


def test_days_come_in_their_order_whenever_they_were_written(office: Office) -> None:
    entries(office, 3, 9, 1)
    a_note(office)

    assert days(office.rows("notes.listJournal")) == [9, 3, 1]


def test_both_bounds_are_included(office: Office) -> None:
    entries(office, 1, 2, 3, 4)

    within = office.rows("notes.listJournal", {"from": "2026-03-02", "to": "2026-03-03"})

    assert days(within) == [3, 2]
    assert days(office.rows("notes.listJournal", {"from": "2026-03-04"})) == [4]
    assert days(office.rows("notes.listJournal", {"to": "2026-03-01"})) == [1]
    backwards = office.refused("notes.listJournal", {"from": "2026-03-03", "to": "2026-03-02"})
    assert backwards == (400, "invalid_input", {"to"})


def test_pages_follow_each_other_within_their_bounds(office: Office) -> None:
    entries(office, 1, 2, 3, 4)
    asked = {"limit": 2, "from": "2026-03-02"}

    first = office.call("notes.listJournal", asked)
    second = office.call("notes.listJournal", {**asked, "cursor": first["nextCursor"]})

    assert days(first["data"] + second["data"]) == [4, 3, 2]
    assert "nextCursor" not in second


def test_bodies_are_cut_unless_they_are_asked_for(office: Office) -> None:
    body = "Long. " * 100
    a_note(office, body, kind="JOURNAL", journalDate="2026-03-02")

    (cut,) = office.rows("notes.listJournal")
    (whole,) = office.rows("notes.listJournal", {"include": ["body"]})

    assert (cut["body"], cut["truncated"]) == (body[:400], True)
    assert (whole["body"], "truncated" in whole) == (body, False)


def test_a_journal_is_its_owners_alone(office: Office) -> None:
    entries(office, 1)

    assert office.rows("notes.listJournal", key=office.a_colleague().key) == []
    assert office.refused("notes.listJournal", {"from": "yesterday"}) == (400, "invalid_input", {"from"})
