"""An agent says that it waits for somebody."""

import pytest

from forge.work.record.log.events import EventKind
from tests.unit.office import Office
from tests.unit.runs.engagements import MODES, an_agents_key, become, engaged, events_about

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


def test_a_reason_has_at_most_five_hundred_characters(office: Office) -> None:
    worker = engaged(office)

    assert worker.refused("runs.setWaiting", {"reason": "🚧" * 501}) == (400, "invalid_input", {"reason"})
    told = worker.call("runs.setWaiting", {"reason": f" {'🚧' * 500} "})

    assert told["currentStep"] == "🚧" * 500


def test_waiting_is_kept_among_the_signs_of_the_run_and_audited(office: Office) -> None:
    worker = engaged(office)

    worker.call("runs.setWaiting", {"reason": "A key, please."})

    assert worker.signs == [("WAITING", {"reason": "A key, please.", "blocking": False})]
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
    assert worker.signs[-1] == ("WAITING", {"reason": "A key, please!", "blocking": True})
    assert office.rows("events.recent", {"kinds": ["AGENT_RUN_BLOCKED"]})[0]["subjectType"] == "agent-run"


def test_a_run_that_waits_is_still_live(office: Office) -> None:
    worker = engaged(office)
    head = worker.head

    worker.call("runs.setWaiting")

    assert worker.head == head


@pytest.mark.parametrize("mode", MODES)
def test_every_mode_may_wait(office: Office, mode: str) -> None:
    assert engaged(office, mode).call("runs.setWaiting")["status"] == "WAITING"


@pytest.mark.parametrize("status", ["COMPLETED", "ABANDONED", "STALLED"])
def test_a_run_that_is_over_does_not_wait(office: Office, status: str) -> None:
    worker = engaged(office)
    become(worker, status)
    logged = office.log()

    assert worker.refused("runs.setWaiting", {"blocking": True}) == (409, "conflict", set())
    assert (worker.run.status, worker.signs, office.log()) == (status, [], logged)


def test_a_repeated_call_gets_the_first_answer(office: Office) -> None:
    worker = engaged(office)
    first = worker.call("runs.setWaiting", {"blocking": True}, idempotency_key="once")
    office.world.clock.advance(minutes=1)

    again = worker.call("runs.setWaiting", {"blocking": True}, idempotency_key="once")

    assert again == first
    assert len(worker.signs) == len(events_about(office, worker.run_id, BLOCKED)) == 1


def test_a_run_of_another_agent_is_refused(office: Office) -> None:
    worker, other = engaged(office), engaged(office)

    refused = office.refused("runs.setWaiting", {"runId": worker.run_id}, key=other.key)

    assert refused == (403, "forbidden", set())
    assert worker.run.status == "ACTIVE"


def test_only_agents_wait(office: Office) -> None:
    worker = engaged(office)

    assert office.refused("runs.setWaiting", {"runId": worker.run_id}) == (403, "forbidden", set())


def test_a_run_that_is_not_there_or_elsewhere_is_unknown(office: Office, other_office: Office) -> None:
    worker, stranger = engaged(office), engaged(other_office)

    for run_id in ("run_none", stranger.run_id):
        refused = office.refused("runs.setWaiting", {"runId": run_id}, key=worker.key)
        assert refused == (404, "not_found", set())
    assert stranger.run.status == "ACTIVE"


def test_a_key_that_may_not_see_the_issue_is_refused(office: Office) -> None:
    worker = engaged(office)
    narrowed = an_agents_key(office, worker.agent_id, project_ids=["prj_else"])

    refused = office.refused("runs.setWaiting", {"runId": worker.run_id}, key=narrowed)

    assert refused == (403, "forbidden", set())
    assert worker.run.status == "ACTIVE"
