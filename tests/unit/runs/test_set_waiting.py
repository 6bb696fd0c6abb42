"""An agent says that it waits for somebody."""

import pytest

from forge.work.record.log.kinds import EventKind
from tests.workshop.office import Office
from tests.workshop.runs import become, engaged, events_about

BLOCKED = EventKind.AGENT_RUN_BLOCKED


def test_the_run_waits_and_says_for_what(office: Office) -> None:
    worker = engaged(office)
    office.world.clock.advance(minutes=2)

    told = worker.call("runs.setWaiting", {"reason": "Which of both schemas?"})

    assert told == {
        "id": worker.run_id,
        "status": "WAITING",
        "currentStep": "Which of both schemas?",
        "lastEventAt": told["lastEventAt"],
    }
    run = worker.run
    assert (run.status, run.current_step) == ("WAITING", "Which of both schemas?")
    assert run.last_event_at == office.world.clock()
    assert (run.finished_at, run.output_started_at) == (None, None)


@pytest.mark.parametrize("reason", [None, "null", "", "   "])
def test_without_a_reason_it_waits_for_the_operator(office: Office, reason: str | None) -> None:
    worker = engaged(office)

    assert worker.call("runs.setWaiting", {"reason": reason})["currentStep"] == "Waiting on operator"


def test_waiting_is_audited(office: Office) -> None:
    worker = engaged(office)

    worker.call("runs.setWaiting", {"reason": "A key, please."})

    row = office.log()[-1]
    assert (row.kind, row.subject_type, row.subject_id) == (None, "agent-run", worker.run_id)
    assert (row.issue_id, row.actor_agent_id) == (worker.issue_id, worker.agent_id)
    assert row.after is not None
    assert row.after["status"] == "WAITING"


def test_only_waiting_that_blocks_is_announced(office: Office) -> None:
    worker = engaged(office)
    worker.call("runs.setWaiting", {"reason": "A key, please."})
    assert events_about(office, worker.run_id, BLOCKED) == []

    worker.call("runs.setWaiting", {"reason": "A key, please!", "blocking": True})

    (row,) = events_about(office, worker.run_id, BLOCKED)
    assert row.payload == {
        "runId": worker.run_id,
        "issueId": worker.issue_id,
        "agentId": worker.agent_id,
        "reason": "A key, please!",
    }
    assert office.rows("events.recent", {"kinds": ["AGENT_RUN_BLOCKED"]})[0]["subjectType"] == "agent-run"


def test_a_run_that_waits_is_still_live(office: Office) -> None:
    worker = engaged(office)
    head = worker.head

    worker.call("runs.setWaiting")

    assert worker.head == head


@pytest.mark.parametrize("status", ["COMPLETED", "ABANDONED", "STALLED"])
def test_a_run_that_is_over_does_not_wait(office: Office, status: str) -> None:
    worker = engaged(office)
    become(worker, status)
    logged = office.log()

    assert worker.refused("runs.setWaiting", {"blocking": True}) == (409, "conflict", set())
    assert (worker.run.status, office.log()) == (status, logged)
