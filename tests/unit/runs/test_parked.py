"""A run that waits for a person costs nothing: no beat, no expiry; the answer wakes it."""

import pytest

from forge.testing.world import World
from tests.workshop import issues
from tests.workshop.office import Body, Office

RESUME = {"agent": "claude", "sessionId": "0b1c-22", "runtimeId": "rt_1"}


class Asker:
    """An agent at work that has asked a person."""

    def __init__(self, office: Office) -> None:
        self.office = office
        self.agent_id = office.an_agent()["id"]
        self.key = office.an_agents_key(self.agent_id)
        self.issue_id = issues.a_queued_issue(office)
        claim = {"issueId": self.issue_id, "claimTtlMinutes": 5}
        self.run_id = self.call("issues.claim", claim)["runId"]
        self.request_id = self.call(
            "actionRequests.create", {"issueId": self.issue_id, "title": "Which schema?"}
        )["id"]

    def call(self, tool: str, arguments: Body) -> Body:
        return self.office.call(tool, arguments, key=self.key)

    @property
    def parking(self) -> Body:
        return {"runId": self.run_id, "requestId": self.request_id, "resume": RESUME}

    def park(self) -> Body:
        return self.call("runs.setWaiting", self.parking)

    @property
    def current_run(self) -> Body:
        run: Body = self.call("agent.context.bundle", {"issueId": self.issue_id})["currentRun"]
        return run

    @property
    def is_claimed(self) -> bool:
        return issues.head(self.office, self.issue_id).is_claimed(self.office.world.clock())


@pytest.fixture
def asker(stored_world: World) -> Asker:
    """On a table of its own: the sweep looks at everybody's runs."""
    return Asker(Office(stored_world))


def wait_hours(office: Office, hours: float) -> None:
    for _ in range(round(hours * 6)):
        office.world.clock.advance(minutes=10)
        office.sweep()


def test_while_its_question_is_open_nobody_takes_it_and_nothing_has_to_be_said(asker: Asker) -> None:
    asker.park()

    wait_hours(asker.office, 30)

    run = issues.run(asker.office, asker.run_id)
    assert (run.status, asker.is_claimed) == ("WAITING", True)
    assert asker.office.rows("agent.inbox", key=asker.key) == []


def test_the_answer_wakes_it_and_tells_how_to_go_on(asker: Asker) -> None:
    asker.park()
    wait_hours(asker.office, 3)

    asker.office.call("actionRequests.accept", {"id": asker.request_id, "resolution": "The second one."})

    (entry,) = asker.office.rows("agent.inbox", key=asker.key)
    assert (asker.current_run["status"], asker.current_run["resume"]) == ("ACTIVE", RESUME)
    assert entry["issue"] == "DEMO-1"
    assert asker.is_claimed


def test_it_is_shown_to_its_own_agent_alone(asker: Asker) -> None:
    asker.park()

    shown = asker.office.call("agent.context.bundle", {"issueId": asker.issue_id})

    assert "resume" not in shown["currentRun"]


def test_what_was_answered_before_is_no_reason_to_wait(asker: Asker) -> None:
    asker.office.call("actionRequests.accept", {"id": asker.request_id, "resolution": "The second one."})

    refused = asker.office.refused("runs.setWaiting", asker.parking, key=asker.key)

    assert refused[:2] == (409, "conflict")


def test_a_question_that_is_gone_is_waited_for_no_longer(asker: Asker) -> None:
    asker.park()
    asker.call("actionRequests.transition", {"id": asker.request_id, "status": "DISMISSED"})

    wait_hours(asker.office, 0.5)

    assert asker.current_run["status"] == "ACTIVE"
    assert len(asker.office.rows("agent.inbox", key=asker.key)) == 1


def test_who_goes_on_by_itself_waits_for_nothing_any_more(asker: Asker) -> None:
    asker.park()

    asker.call("runs.resumeWork", {"runId": asker.run_id})

    run = issues.run(asker.office, asker.run_id)
    assert (run.status, run.request_id) == ("ACTIVE", None)


def test_a_run_is_parked_only_for_a_question_of_its_own_issue(asker: Asker) -> None:
    elsewhere = asker.call("actionRequests.create", {"issueId": issues.an_issue(asker.office), "title": "?"})
    not_its_own = asker.office.call("actionRequests.create", {"issueId": asker.issue_id, "title": "?"})

    for one in (elsewhere, not_its_own):
        waiting = {**asker.parking, "requestId": one["id"]}
        assert asker.office.refused("runs.setWaiting", waiting, key=asker.key)[0] == 404
