"""Who can't go on gives the work back, for somebody else, for later, or for people."""

from typing import Any

import pytest

from tests.workshop import issues
from tests.workshop.office import Body, Office


@pytest.fixture
def agents_key(office: Office) -> str:
    return office.an_agents_key()


def given_back(office: Office, key: str, **more: Any) -> Body:
    """What the queue has, taken and given back."""
    run_id = office.call("issues.claim", {}, key=key)["runId"]
    return office.call("runs.giveBack", {"runId": run_id, "reason": "No network here.", **more}, key=key)


def free(office: Office, key: str) -> Body:
    return office.call("issues.claim", {}, key=key)


def test_it_ends_the_run_frees_the_claim_and_says_why(office: Office, agents_key: str) -> None:
    issue_id = issues.a_queued_issue(office)
    other = office.an_agents_key(office.an_agent("other")["id"])

    back = given_back(office, agents_key)

    (comment,) = office.rows("comments.list", {"issueId": issue_id})
    assert (back["status"], back["queued"], "requestId" in back) == ("ABANDONED", True, False)
    assert comment["id"] == back["commentId"]
    assert "No network here." in comment["body"]
    assert free(office, other)["claimed"]["id"] == issue_id


def test_nobody_is_given_it_before_its_time_but_by_name(office: Office, agents_key: str) -> None:
    issue_id = issues.a_queued_issue(office)
    back = given_back(office, agents_key, afterMinutes=30)
    assert back["queuedFrom"]

    office.world.clock.advance(minutes=30, milliseconds=-1)
    assert free(office, agents_key)["claimed"] is None
    office.world.clock.advance(milliseconds=1)

    assert free(office, agents_key)["claimed"]["id"] == issue_id


def test_whoever_asks_for_it_by_name_need_not_wait(office: Office, agents_key: str) -> None:
    issue_id = issues.a_queued_issue(office)
    given_back(office, agents_key, afterMinutes=30)

    taken = office.call("issues.claim", {"issueId": issue_id}, key=agents_key)

    assert taken["claimed"]["id"] == issue_id
    assert issues.head(office, issue_id).queued_from is None


def test_the_third_time_in_a_row_people_are_asked_instead(office: Office, agents_key: str) -> None:
    issue_id = issues.a_queued_issue(office)

    back = [given_back(office, agents_key) for _ in range(3)]

    assert [one["queued"] for one in back] == [True, True, False]
    (asked,) = office.rows("actionRequests.list", {"status": "OPEN"})
    assert (asked["id"], asked["issueId"]) == (back[2]["requestId"], issue_id)
    assert free(office, agents_key)["claimed"] is None


def test_a_person_who_queues_it_again_begins_a_new_count(office: Office, agents_key: str) -> None:
    issue_id = issues.a_queued_issue(office)
    for _ in range(2):
        given_back(office, agents_key)
    for queued in (False, True):
        office.call("issues.setQueued", {"id": issue_id, "queued": queued})

    assert given_back(office, agents_key)["queued"] is True


def test_what_was_finished_in_between_begins_a_new_count(office: Office, agents_key: str) -> None:
    issue_id = issues.a_queued_issue(office)
    for _ in range(2):
        given_back(office, agents_key)
    run_id = free(office, agents_key)["runId"]
    office.call("runs.complete", {"runId": run_id, "summary": "Half of it."}, key=agents_key)

    assert issues.head(office, issue_id).times_given_back == 0


def test_what_a_person_gave_stays_the_agents(office: Office) -> None:
    agent_id = office.an_agent()["id"]
    key = office.an_agents_key(agent_id)
    issue_id = issues.an_issue(office)
    issues.assign(office, issue_id, agent_id)
    run_id = issues.live_run(office, issue_id, agent_id).id

    office.call("runs.giveBack", {"runId": run_id, "reason": "Later."}, key=key)

    head = issues.head(office, issue_id)
    assert (head.assigned_agent_id, head.queued, head.live_runs) == (agent_id, True, [])


@pytest.mark.parametrize("mode", ["RESEARCH", "REVIEW", "DISCUSS"])
def test_who_did_not_execute_leaves_nothing_in_the_queue(office: Office, mode: str) -> None:
    agent_id = office.an_agent()["id"]
    key = office.an_agents_key(agent_id)
    issue_id = issues.an_issue(office)
    issues.assign(office, issue_id, agent_id, mode)
    run_id = issues.live_run(office, issue_id, agent_id).id

    back = office.call("runs.giveBack", {"runId": run_id, "reason": "Not for me."}, key=key)

    assert (back["status"], back["queued"]) == ("ABANDONED", False)


def test_what_is_over_is_given_back_no_more(office: Office, agents_key: str) -> None:
    issues.a_queued_issue(office)
    run_id = given_back(office, agents_key)["id"]

    refused = office.refused("runs.giveBack", {"runId": run_id, "reason": "Again."}, key=agents_key)

    assert refused[:2] == (409, "conflict")
