"""A run that has been quiet for five minutes can be nudged."""

import pytest

from forge.work.record.log.kinds import EventKind
from tests.workshop.events import is_to_be_told
from tests.workshop.office import Office
from tests.workshop.runs import become, engaged, events_about

KICKED = EventKind.AGENT_RUN_KICKED
MINUTE = 60_000


def test_a_quiet_agent_is_told_again(office: Office) -> None:
    worker = engaged(office)
    worker.call("runs.resumeWork", {"currentStep": "Reading"})
    office.world.clock.advance(minutes=7)

    told = office.call("runs.kick", {"runId": worker.run_id})

    assert told == {"ok": True, "kicked": True, "idleMs": 7 * MINUTE}
    (row,) = events_about(office, worker.run_id, KICKED)
    assert row.payload == {
        "runId": worker.run_id,
        "issueId": worker.issue_id,
        "agentId": worker.agent_id,
        "idleMs": 7 * MINUTE,
        "currentStep": "Reading",
        "via": "mcp",
    }
    assert [(wake.agent_id, wake.run_id) for wake in row.wakes] == [(worker.agent_id, worker.run_id)]
    assert (row.issue_id, row.actor_user_id) == (worker.issue_id, office.owner_id)
    assert is_to_be_told(office.world.services.store, row)


def test_neither_run_nor_issue_changes(office: Office) -> None:
    worker = engaged(office)
    office.world.clock.advance(minutes=5)
    run, head = worker.run, worker.head

    office.call("runs.kick", {"runId": worker.run_id})

    assert (worker.run, worker.head, worker.signs) == (run, head, [])


def test_a_second_kick_is_told_again(office: Office) -> None:
    worker = engaged(office)
    office.world.clock.advance(minutes=5)

    for _ in range(2):
        assert office.call("runs.kick", {"runId": worker.run_id})["kicked"] is True

    assert len(events_about(office, worker.run_id, KICKED)) == 2


@pytest.mark.parametrize(
    ("idle_ms", "is_kicked"), [(0, False), (MINUTE, False), (5 * MINUTE - 1, False), (5 * MINUTE, True)]
)
def test_a_run_is_quiet_after_five_minutes(office: Office, idle_ms: int, is_kicked: bool) -> None:
    worker = engaged(office)
    office.world.clock.advance(milliseconds=idle_ms)
    logged = len(office.log())

    told = office.call("runs.kick", {"runId": worker.run_id})

    assert told == {"ok": True, "kicked": is_kicked, "idleMs": idle_ms}
    assert len(office.log()) == logged + is_kicked


def test_a_sign_of_the_agent_makes_it_quiet_anew(office: Office) -> None:
    worker = engaged(office)
    office.world.clock.advance(minutes=10)
    worker.call("runs.resumeWork")

    assert office.call("runs.kick", {"runId": worker.run_id})["kicked"] is False


@pytest.mark.parametrize("status", ["WAITING", "COMPLETED", "ABANDONED", "STALLED"])
def test_only_an_active_run_is_kicked(office: Office, status: str) -> None:
    worker = engaged(office)
    become(worker, status)
    office.world.clock.advance(minutes=10)

    answer = office.send("runs.kick", {"runId": worker.run_id})

    assert answer.status == 409
    assert status in answer.body
    assert events_about(office, worker.run_id, KICKED) == []
