"""An agent says what its run has used so far: the latest report counts."""

from typing import Any

import pytest

from tests.workshop.office import Office
from tests.workshop.runs import engaged

NOTHING_YET = {"tokensIn": None, "tokensOut": None, "tokensCached": None, "costUsd": None}


@pytest.mark.parametrize(
    ("field", "value"), [("tokensIn", 7), ("tokensOut", 0), ("tokensCached", 10**12), ("costUsd", 0)]
)
def test_one_number_is_enough_and_the_others_stay(office: Office, field: str, value: int) -> None:
    worker = engaged(office)

    told = worker.call("runs.recordUsage", {field: value})

    assert told == {"id": worker.run_id, **NOTHING_YET, field: value}


def test_the_latest_report_replaces_only_what_it_gives(office: Office) -> None:
    worker = engaged(office)
    worker.call("runs.recordUsage", {"tokensIn": 100, "tokensOut": 20, "costUsd": 1.5})

    told = worker.call("runs.recordUsage", {"tokensIn": 40, "costUsd": None})

    assert (told["tokensIn"], told["tokensOut"], told["costUsd"]) == (40, 20, 1.5)
    assert office.rows("runs.list")[0].items() >= told.items()


def test_a_cost_is_kept_to_four_decimals(office: Office) -> None:
    worker = engaged(office)

    assert worker.call("runs.recordUsage", {"costUsd": 0.123456})["costUsd"] == 0.1235
    assert worker.call("runs.recordUsage", {"costUsd": 1e-300})["costUsd"] == 0
    assert worker.run.cost_usd == 0


@pytest.mark.parametrize("nothing", [{}, {"tokensIn": None}, {"costUsd": "null"}])
def test_a_report_of_nothing_is_refused(office: Office, nothing: dict[str, Any]) -> None:
    worker = engaged(office)

    assert worker.refused("runs.recordUsage", nothing) == (400, "invalid_input", {"arguments"})


def test_usage_can_be_reported_after_the_end(office: Office) -> None:
    worker = engaged(office)
    ended = worker.call("runs.complete", {"summary": "Done."})

    worker.call("runs.recordUsage", {"costUsd": 2})

    run = worker.run
    assert (run.status, run.cost_usd) == ("COMPLETED", 2)
    assert run.finished_at is not None
    assert ended["finishedAt"] == run.finished_at.isoformat().replace("+00:00", "Z")


def test_a_report_does_not_wake_a_run_that_waits(office: Office) -> None:
    worker = engaged(office)
    worker.call("runs.setWaiting")
    before = worker.run
    office.world.clock.advance(minutes=1)

    worker.call("runs.recordUsage", {"tokensIn": 1})

    assert worker.run == before.changed(tokens_in=1, version=before.version + 1)


def test_a_report_is_audited_for_its_issue_and_announced_to_nobody(office: Office) -> None:
    worker = engaged(office)
    told = office.rows("events.recent")

    worker.call("runs.recordUsage", {"tokensIn": 10})

    row = office.log()[-1]
    assert (row.kind, row.subject_type, row.subject_id) == (None, "agent-run", worker.run_id)
    assert (row.issue_id, row.actor_agent_id) == (worker.issue_id, worker.agent_id)
    assert (row.before, row.after) == ({}, {"tokens_in": 10})
    assert office.rows("events.recent") == told


def test_the_same_report_again_writes_nothing(office: Office) -> None:
    worker = engaged(office)
    first = worker.call("runs.recordUsage", {"tokensIn": 10, "costUsd": 0.5})
    logged, run = office.log(), worker.run

    again = worker.call("runs.recordUsage", {"tokensIn": 10, "costUsd": 0.50001})

    assert again == first
    assert (office.log(), worker.run) == (logged, run)
