"""A note is its owner's alone, and nothing of what it says is told anywhere else."""

import json

import pytest

from forge.context import KeyKind
from tests.workshop.office import Office

LONG = "\N{MEMO}" * 50_000
"""As long as a body may be: 200 KB, so that it is kept in S3."""


def test_only_a_body_must_be_given_and_a_blank_title_is_none(office: Office) -> None:
    note = office.call("notes.create", {"body": "b", "title": "  "})

    assert (note["title"], note["pinned"], note["status"]) == (None, False, "IDEA")
    for arguments in ({}, {"body": ""}, {"body": "b" * 50_001}):
        assert office.refused("notes.create", arguments) == (400, "invalid_input", {"body"})


def test_a_long_body_comes_back_cut_and_can_be_read_whole(office: Office) -> None:
    note = office.call("notes.create", {"body": LONG})

    (listed,) = office.rows("notes.list")
    (whole,) = office.rows("notes.list", {"id": note["id"], "include": ["body"]})

    assert (listed["body"], listed["truncated"]) == (LONG[:400], True)
    assert note == listed
    assert (whole["body"], "truncated" in whole) == (LONG, False)


def test_an_agent_has_notes_of_its_own_and_nobody_has_none(office: Office) -> None:
    agent = office.an_agent()
    key = office.an_agents_key(agent["id"])

    note = office.call("notes.create", {"body": "Mine."}, key=key)

    assert (note["userId"], note["agentId"]) == (None, agent["id"])
    assert (office.rows("notes.list", key=key), office.rows("notes.list")) == ([note], [])
    nobody = office.world.a_key(kind=KeyKind.AGENT, workspace=office.workspace)
    assert office.refused("notes.create", {"body": "b"}, key=nobody) == (403, "forbidden", set())
    assert office.refused("notes.list", key=nobody) == (403, "forbidden", set())


def test_a_journal_has_one_entry_for_each_day(office: Office) -> None:
    entry = {"kind": "JOURNAL", "journalDate": "2026-03-02", "body": "Monday."}
    first = office.call("notes.create", entry)

    second = office.send("notes.create", entry)

    assert (second.status, json.loads(second.body)["details"]) == (409, {"noteId": first["id"]})
    assert office.call("notes.create", entry, key=office.a_colleague().key)["journalDate"] == "2026-03-02"
    assert office.call("notes.create", {**entry, "journalDate": "2026-03-03"})["kind"] == "JOURNAL"
    assert office.rows("notes.list") == []


def test_an_entry_without_a_day_is_todays(office: Office) -> None:
    entry = office.call("notes.create", {"kind": "JOURNAL", "body": "So far."})

    assert entry["journalDate"] == office.world.clock().date().isoformat()
    assert office.call("notes.todayJournal")["id"] == entry["id"]


@pytest.mark.parametrize(
    ("field", "value"),
    [("journalDate", "2026-03-02")],
)
def test_a_wrong_field_is_named(tableless_office: Office, field: str, value: str) -> None:
    refused = tableless_office.refused("notes.create", {"body": "b", field: value})

    assert refused == (400, "invalid_input", {field})


def test_the_log_tells_that_notes_were_written_and_nothing_of_what_they_say(office: Office) -> None:
    note = office.call("notes.create", {"title": "Secret plan", "body": "Nobody may know."})
    office.call("notes.update", {"id": note["id"], "title": "Secret plans", "body": "Nobody must know."})
    office.call("notes.archive", {"id": note["id"]})

    rows = [row for row in office.log() if row.subject_id == note["id"]]

    assert [(row.kind, row.action) for row in rows] == [(None, "create"), (None, "update"), (None, "archive")]
    told = " ".join(row.model_dump_json() for row in office.log())
    assert not any(word in told for word in ("Secret", "Nobody"))
    assert note["id"] not in {event["subjectId"] for event in office.rows("events.recent")}
