"""Every decision reaches the agent that asked: by one comment that ends its waiting, else in its inbox."""

from typing import Any

import pytest

from tests.workshop.issues import an_issue
from tests.workshop.office import Body, Office
from tests.workshop.requests import asked

DECISIONS: dict[str, tuple[str, Body]] = {
    "accept": ("actionRequests.accept", {}),
    "accept with words": ("actionRequests.accept", {"resolution": "The new one."}),
    "decline": ("actionRequests.decline", {"reason": "Too risky."}),
    "resolve": ("actionRequests.transition", {"status": "RESOLVED"}),
    "reject": ("actionRequests.transition", {"status": "REJECTED", "resolution": "No."}),
    "dismiss": ("actionRequests.transition", {"status": "DISMISSED"}),
}

every_decision = pytest.mark.parametrize("decision", DECISIONS)


def decide(office: Office, request_id: str, decision: str, **how: str) -> None:
    tool, more = DECISIONS[decision]
    office.call(tool, {"id": request_id, **more}, **how)


def answers(office: Office, key: str) -> list[Body]:
    return [one for one in office.rows("agent.inbox", key=key) if one["what"] == "answer"]


class Asking:
    """An agent at work on an issue, which has asked and waits."""

    def __init__(self, office: Office, **more: Any) -> None:
        self.office, self.issue_id, agent = office, an_issue(office), office.an_agent()
        self.key = office.an_agents_key(agent["id"])
        office.call("issues.assign", {"issueId": self.issue_id, "agentId": agent["id"]})
        (self.run,) = office.rows("runs.list", {"issueId": self.issue_id})
        self.request_id = asked(office, "Which schema?", key=self.key, issueId=self.issue_id, **more)
        waiting = {"runId": self.run["id"], "reason": "Which schema?", "blocking": True}
        office.call("runs.setWaiting", waiting, key=self.key)

    def comments(self) -> list[str]:
        return [one["body"] for one in self.office.rows("comments.list", {"issueId": self.issue_id})]

    def status(self) -> str:
        (run,) = self.office.rows("runs.list", {"issueId": self.issue_id})
        return str(run["status"])


@every_decision
def test_a_decision_is_one_comment_that_wakes_the_asker_and_ends_its_waiting(
    office: Office, decision: str
) -> None:
    asking = Asking(office)

    decide(office, asking.request_id, decision)

    (said,) = asking.comments()
    assert said.startswith("@worker ")
    assert asking.status() == "ACTIVE"
    wakes = [wake.run_id for row in office.log() if row.kind == "COMMENT_CREATED" for wake in row.wakes]
    assert wakes == [asking.run["id"]]
    assert answers(office, asking.key) == []
    assert office.call("agents.me", key=asking.key)["waiting"]["mentions"] == 1


@every_decision
def test_without_an_issue_the_answer_stands_in_the_inbox_until_it_is_noted(
    office: Office, decision: str
) -> None:
    key = office.an_agents_key(office.an_agent()["id"])
    request_id = asked(office, "Which schema?", key=key)

    decide(office, request_id, decision)

    (row,) = answers(office, key)
    (settled,) = [one for one in office.log() if "previousStatus" in one.payload]
    assert [wake.agent_id for wake in settled.wakes] == [office.call("agents.me", key=key)["id"]]
    answer = office.call(row["call"]["tool"], row["call"]["arguments"], key=key)
    assert (answer["id"], answer["status"] != "OPEN") == (request_id, True)
    assert answers(office, key) == []
    assert office.call("agent.inbox.ack", {"requestId": request_id}, key=key) == answer


def test_a_yes_that_closes_the_issue_is_said_there_and_begins_no_run(office: Office) -> None:
    asking = Asking(office, kind="TRANSITION", payload={"statusId": "Done"})

    decide(office, asking.request_id, "accept")

    assert len(asking.comments()) == 1
    assert (asking.status(), len(answers(office, asking.key))) == ("COMPLETED", 1)


def test_a_yes_that_takes_the_issue_away_stands_in_the_inbox(office: Office) -> None:
    asking = Asking(office, kind="ARCHIVE")

    decide(office, asking.request_id, "accept")

    assert len(answers(office, asking.key)) == 1


def test_who_takes_its_own_request_back_is_not_told(office: Office) -> None:
    asking = Asking(office)

    decide(office, asking.request_id, "dismiss", key=asking.key)

    assert (asking.comments(), asking.status(), answers(office, asking.key)) == ([], "WAITING", [])


def test_what_is_put_off_or_opened_again_is_no_answer(office: Office) -> None:
    key = office.an_agents_key(office.an_agent()["id"])
    request_id = asked(office, key=key)

    office.call("actionRequests.transition", {"id": request_id, "status": "SNOOZED"})
    snoozed = answers(office, key)
    decide(office, request_id, "dismiss")
    office.call("actionRequests.transition", {"id": request_id, "status": "OPEN"})

    assert (snoozed, answers(office, key)) == ([], [])
    assert office.refused("agent.inbox.ack", {"requestId": request_id}, key=key)[:2] == (409, "conflict")


def test_an_answer_is_noted_by_nobody_else(office: Office) -> None:
    key, other = (office.an_agents_key(office.an_agent(name)["id"]) for name in ("one", "two"))
    request_id = asked(office, key=key)
    decide(office, request_id, "accept")

    refused = office.refused("agent.inbox.ack", {"requestId": request_id}, key=other)

    assert refused[:2] == (404, "not_found")
    assert len(answers(office, key)) == 1


def test_somebody_who_speaks_to_an_agent_ends_its_waiting_and_the_agent_itself_too(office: Office) -> None:
    asking = Asking(office)
    office.call("comments.create", {"issueId": asking.issue_id, "body": "Let us see."})
    unspoken = asking.status()

    office.call("comments.create", {"issueId": asking.issue_id, "body": "@worker the second."})

    (run,) = office.rows("runs.list", {"issueId": asking.issue_id})
    assert (unspoken, run["status"], run["currentStep"]) == ("WAITING", "ACTIVE", None)
    office.world.clock.advance(minutes=31)
    office.sweep()
    assert asking.status() == "STALLED"
