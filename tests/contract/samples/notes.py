"""Calls of the notes' tools."""

from datetime import date, timedelta

from tests.contract.stage import Arguments, Stage, sample


def a_note(stage: Stage, **more: object) -> str:
    order = {"title": "Flaky test", "body": "test_login fails on Mondays.", **more}
    return str(stage.call("notes.create", order)["id"])


def _two_notes(stage: Stage, **more: object) -> Arguments:
    for _ in range(2):
        a_note(stage)
    return {"limit": 1, **more}


def an_entry(stage: Stage) -> str:
    """Of a day that no other has, and the same in every run."""
    day = date(2026, 1, 1) + timedelta(days=stage.world.ids.last)
    return a_note(stage, kind="JOURNAL", journalDate=day.isoformat())


def _two_days(stage: Stage, **more: object) -> Arguments:
    for _ in range(2):
        an_entry(stage)
    return {"limit": 1, "from": "2026-01-01", "to": "2999-12-31", **more}


def _brought_back(stage: Stage) -> Arguments:
    note_id = an_entry(stage)
    stage.call("notes.archive", {"id": note_id})
    return {"id": note_id, "status": "ACTIVE", "body": "Again."}


SAMPLES = (
    sample(
        "notes.create",
        lambda stage: {
            "title": "Flaky test",
            "body": "test_login fails on Mondays.",
            "pinned": True,
            "kind": "JOURNAL",
            "journalDate": "2025-12-31",
            "status": "ACTIVE",
        },
    ),
    sample("notes.create", lambda stage: {"body": "Today.", "kind": "JOURNAL"}, variant="for today"),
    sample("notes.list", _two_notes),
    sample(
        "notes.list",
        lambda stage: {"id": a_note(stage), "include": ["body"], "limit": 1},
        variant="one of them",
    ),
    sample(
        "notes.update",
        lambda stage: {
            "id": a_note(stage),
            "title": "Flaky",
            "body": "On Tuesdays, too.",
            "pinned": True,
            "status": "SOMEDAY",
        },
    ),
    sample("notes.update", _brought_back, variant="of one that was archived"),
    sample("notes.archive", lambda stage: {"id": an_entry(stage)}),
    sample("notes.todayJournal"),
    sample("notes.listJournal", lambda stage: _two_days(stage, include=["body"])),
)
