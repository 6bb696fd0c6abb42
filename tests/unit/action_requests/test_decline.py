"""A no is written down with its reason, changes nothing, and reaches the agent that waits for it."""

from tests.workshop.issues import an_issue
from tests.workshop.office import Body, Office
from tests.workshop.requests import asked, card, issue_of, request_events


def test_a_declined_proposal_is_rejected_with_the_reason_and_does_nothing(office: Office) -> None:
    issue_id, ada = an_issue(office), office.a_colleague(handle="ada")
    proposal: Body = {"kind": "TRANSITION", "payload": {"statusId": "Done"}}
    request_id = asked(office, issueId=issue_id, assignedUserId="ada", **proposal)

    answer = office.call("actionRequests.decline", {"id": request_id, "reason": "Too risky."}, key=ada.key)

    row = card(office, request_id)
    assert answer == {"id": request_id}
    assert (row["status"], row["resolution"]) == ("REJECTED", "Declined by @ada: Too risky.")
    assert row["resolvedByUserId"] == ada.id
    assert issue_of(office, issue_id)["status"]["category"] == "BACKLOG"
    assert request_events(office)[-1].payload["status"] == "REJECTED"


def test_an_agent_at_work_that_asked_is_woken_in_its_own_run(office: Office) -> None:
    issue_id, agent = an_issue(office), office.an_agent()
    office.call("issues.assign", {"issueId": issue_id, "agentId": agent["id"]})
    (run,) = office.rows("runs.list", {"issueId": issue_id})
    request_id = asked(office, key=office.an_agents_key(agent["id"]), issueId=issue_id)

    office.call("actionRequests.decline", {"id": request_id})

    (posted,) = [row for row in office.log() if row.kind == "COMMENT_CREATED"]
    (wake,) = posted.wakes
    assert (wake.agent_id, wake.run_id) == (agent["id"], run["id"])


def test_who_may_not_accept_may_not_decline_and_a_settled_one_stays(office: Office) -> None:
    request_id, other = asked(office, issueId=an_issue(office)), office.a_colleague()

    refused = office.refused("actionRequests.decline", {"id": request_id}, key=other.key)
    office.call("actionRequests.decline", {"id": request_id})
    again = office.refused("actionRequests.decline", {"id": request_id})

    assert refused == (403, "forbidden", set())
    assert again == (409, "conflict", set())
