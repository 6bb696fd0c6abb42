"""What an agent can not do on an issue that somebody else has claimed, and what it still can."""

import json

import pytest

from tests.workshop.issues import an_issue, assign, head, live_run, status_id
from tests.workshop.office import Body, Office


@pytest.fixture
def key(office: Office) -> str:
    return office.an_agents_key(office.an_agent()["id"])


def held_by(office: Office, tool: str, arguments: Body, key: str) -> Body:
    """Whom a refusal names, and until when."""
    answer = office.send(tool, arguments, key=key)
    body: Body = json.loads(answer.body)
    assert (answer.status, body["error"], body["details"]["reason"]) == (409, "conflict", "claimed"), body
    held: Body = body["details"]["heldBy"]
    return held


def claimed_by_another(office: Office, issue_id: str) -> str:
    other_id = str(office.an_agent("other")["id"])
    office.call("issues.claim", {"issueId": issue_id}, key=office.an_agents_key(other_id))
    return other_id


def test_work_on_it_is_refused_where_it_begins(office: Office, key: str) -> None:
    issue_id, done = an_issue(office), status_id(office, "DONE")
    other_id = claimed_by_another(office, issue_id)
    before, rows = head(office, issue_id), len(office.log())
    work: dict[str, Body] = {
        "comments.upsertStatus": {"issueId": issue_id, "body": "I begin."},
        "issues.transition": {"id": issue_id, "statusId": done},
        "issues.bulkTransition": {"ids": [issue_id], "statusId": done},
    }

    told = [held_by(office, tool, arguments, key) for tool, arguments in work.items()]

    assert {(one["by"], one["agentId"], one["until"][:19]) for one in told} == {
        ("claim", other_id, str(before.claim_expires_at).replace(" ", "T")[:19])
    }
    assert (head(office, issue_id), len(office.log())) == (before, rows)


def test_a_run_that_was_assigned_can_not_be_completed_meanwhile(office: Office) -> None:
    issue_id, agent_id = an_issue(office), office.an_agent()["id"]
    key = office.an_agents_key(agent_id)
    assign(office, issue_id, agent_id)
    run_id = live_run(office, issue_id, agent_id).id
    office.call("issues.claim", {"issueId": issue_id})
    report = {"runId": run_id, "summary": "Done."}

    told = held_by(office, "runs.complete", report, key)
    office.call("issues.release", {"id": issue_id})

    assert told["userId"] == office.owner_id
    assert office.call("runs.complete", report, key=key)["status"] == "COMPLETED"


def test_a_word_about_it_begins_no_work(office: Office, key: str) -> None:
    issue_id = an_issue(office)
    other_id = claimed_by_another(office, issue_id)

    posted = office.call("comments.create", {"issueId": issue_id, "body": "Mind the cache."}, key=key)

    assert "run" not in posted or posted["run"] is None
    assert [one.agent_id for one in head(office, issue_id).live_runs] == [other_id]


@pytest.mark.parametrize("mode", ["RESEARCH", "REVIEW", "DISCUSS"])
def test_who_only_looks_at_it_says_how_far_it_is(office: Office, mode: str) -> None:
    issue_id, agent_id = an_issue(office), office.an_agent()["id"]
    assign(office, issue_id, agent_id, mode)
    office.call("issues.claim", {"issueId": issue_id})

    status = {"issueId": issue_id, "body": "Reading."}
    office.call("comments.upsertStatus", status, key=office.an_agents_key(agent_id))


def test_people_move_what_an_agent_has(office: Office) -> None:
    issue_id = an_issue(office)
    claimed_by_another(office, issue_id)

    office.call("issues.transition", {"id": issue_id, "statusId": status_id(office, "DONE")})

    assert head(office, issue_id).claimant_id is None


def test_what_is_another_agents_says_whose_it_is(office: Office, key: str) -> None:
    issue_id, owner_id = an_issue(office), office.an_agent("owner-agent")["id"]
    assign(office, issue_id, owner_id)

    refused = office.call("issues.claim", {"issueId": issue_id}, key=key)

    assert refused["reason"] == "assigned-elsewhere"
    assert (refused["heldBy"]["by"], refused["heldBy"]["agent"]["id"]) == ("assignment", owner_id)
