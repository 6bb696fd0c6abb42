"""issues.reassign: comment, assignment and wake of a handoff, in one step."""

from tests.workshop.issues import an_agents_key, an_issue, assign, load, watchers
from tests.workshop.office import Body, Office

WHY = "Implemented; needs a review."


def reassign(office: Office, issue_id: str, to: str = "reviewer", why: str = WHY, **how: str) -> Body:
    wanted = {"issueId": issue_id, "toProfileKey": to, "rationale": why}
    return office.call("issues.reassign", wanted, **how)


def test_the_reason_becomes_a_comment(office: Office) -> None:
    issue_id, worker = an_issue(office), office.an_agent("worker")
    office.an_agent("reviewer")
    assign(office, issue_id, worker["id"])

    reassign(office, issue_id, key=an_agents_key(office, worker["id"]))

    (comment,) = office.rows("comments.list", {"issueId": issue_id})
    assert comment["body"] == f"Handoff → @reviewer: {WHY}"
    assert comment["authoringAgent"]["id"] == worker["id"]


def test_loads_and_watches_follow_the_issue(office: Office) -> None:
    issue_id, worker = an_issue(office), office.an_agent("worker")
    reviewer = office.an_agent("reviewer")
    assign(office, issue_id, worker["id"])

    reassign(office, issue_id)

    assert (load(office, worker["id"]), load(office, reviewer["id"])) == (0, 1)
    assert watchers(office, issue_id) == {office.owner_id, worker["id"], reviewer["id"]}
