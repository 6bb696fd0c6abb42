"""An agent says that it works on."""

import pytest

from tests.workshop.office import Office
from tests.workshop.runs import become, engaged


def test_a_run_that_waited_is_active_again(office: Office) -> None:
    worker = engaged(office)
    worker.call("runs.setWaiting", {"reason": "Which of both schemas?"})
    office.world.clock.advance(minutes=2)

    told = worker.call("runs.resumeWork", {"currentStep": " Writing the migration "})

    assert told == {
        "id": worker.run_id,
        "status": "ACTIVE",
        "currentStep": "Writing the migration",
        "lastEventAt": told["lastEventAt"],
    }
    run = worker.run
    assert (run.status, run.current_step) == ("ACTIVE", "Writing the migration")
    assert run.last_event_at == office.world.clock()


def test_a_run_that_was_active_has_been_heard_of(office: Office) -> None:
    worker = engaged(office)
    before = worker.run
    office.world.clock.advance(minutes=2)

    worker.call("runs.resumeWork")

    now = office.world.clock()
    heard = before.changed(last_event_at=now, called_at=None, version=before.version + 1)
    assert worker.run == heard, "the sweep looks when it would have"


@pytest.mark.parametrize("step", [None, "null", "", "  "])
def test_without_a_step_it_stays(office: Office, step: str | None) -> None:
    worker = engaged(office)
    worker.call("runs.resumeWork", {"currentStep": "Reading"})

    assert worker.call("runs.resumeWork", {"currentStep": step})["currentStep"] == "Reading"


def test_what_it_waited_for_is_no_step_of_its_work(office: Office) -> None:
    by_itself, by_a_word = engaged(office), engaged(office)
    for worker in (by_itself, by_a_word):
        worker.call("runs.setWaiting", {"reason": "Which of both schemas?"})

    by_itself.call("runs.resumeWork")
    office.call("comments.create", {"issueId": by_a_word.issue_id, "body": "I see."}, key=by_a_word.key)

    for worker in (by_itself, by_a_word):
        assert (worker.run.status, worker.run.current_step) == ("ACTIVE", None)


def test_it_is_audited_but_announced_to_nobody(office: Office) -> None:
    worker = engaged(office)
    worker.call("runs.setWaiting")
    told = office.rows("events.recent")

    worker.call("runs.resumeWork", {"currentStep": "Reading"})

    row = office.log()[-1]
    assert (row.kind, row.subject_type, row.subject_id) == (None, "agent-run", worker.run_id)
    assert (row.issue_id, row.actor_agent_id) == (worker.issue_id, worker.agent_id)
    assert office.rows("events.recent") == told


@pytest.mark.parametrize("status", ["COMPLETED", "ABANDONED", "STALLED"])
def test_a_run_that_is_over_does_not_go_on(office: Office, status: str) -> None:
    worker = engaged(office)
    become(worker, status)
    logged = office.log()

    assert worker.refused("runs.resumeWork") == (409, "conflict", set())
    assert (worker.run.status, office.log()) == (status, logged)


def test_of_two_who_were_called_the_first_takes_it_up(office: Office) -> None:
    worker = engaged(office, mode="REVIEW")
    first = {"onlyIfCalled": True}

    worker.call("runs.resumeWork", first)

    assert worker.refused("runs.resumeWork", first) == (409, "conflict", set())
    worker.call("runs.resumeWork")


def test_what_has_fallen_silent_may_be_taken_up_by_another(office: Office) -> None:
    worker = engaged(office, mode="REVIEW")
    worker.call("runs.resumeWork", {"onlyIfCalled": True})
    office.world.clock.advance(minutes=6)

    worker.call("runs.resumeWork", {"onlyIfCalled": True})

    assert worker.run.last_event_at == office.world.clock()
