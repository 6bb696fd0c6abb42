"""issues.reassign: comment, assignment and wake of a handoff, in one step."""

from forge.work.record.log.events import EventKind
from tests.workshop.issues import an_agents_key, an_issue, assign, comments, head, last, load, watchers
from tests.workshop.office import Body, Office

WHY = "Implemented; needs a review."


def reassign(office: Office, issue_id: str, to: str = "reviewer", why: str = WHY, **how: str) -> Body:
    wanted = {"issueId": issue_id, "toProfileKey": to, "rationale": why}
    return office.call("issues.reassign", wanted, **how)


def refused(office: Office, issue_id: str, to: str, why: str = WHY, **how: str) -> tuple[int, str, set[str]]:
    """How it was refused; the issue must be as it was."""
    before, rows = head(office, issue_id), len(office.log())
    wanted = {"issueId": issue_id, "toProfileKey": to, "rationale": why}
    answer = office.refused("issues.reassign", wanted, **how)
    assert (head(office, issue_id), comments(office, issue_id)) == (before, [])
    assert len(office.log()) == rows
    return answer


def test_it_answers_who_had_it_and_who_has_it(office: Office) -> None:
    issue_id, worker = an_issue(office), office.an_agent("worker")
    reviewer = office.an_agent("reviewer")
    assign(office, issue_id, worker["id"])

    answer = reassign(office, issue_id)

    (comment,) = comments(office, issue_id)
    assert answer == {"issueId": issue_id, "from": "worker", "to": "reviewer", "commentId": comment.id}
    assert head(office, issue_id).assigned_agent_id == reviewer["id"]


def test_the_reason_becomes_a_comment(office: Office) -> None:
    issue_id, worker = an_issue(office), office.an_agent("worker")
    office.an_agent("reviewer")
    assign(office, issue_id, worker["id"])

    reassign(office, issue_id, key=an_agents_key(office, worker["id"]))

    (comment,) = office.rows("comments.list", {"issueId": issue_id})
    assert comment["body"] == f"Handoff → @reviewer: {WHY}"
    assert comment["authoringAgent"]["id"] == worker["id"]


def test_the_comment_names_the_agent_as_it_is_called(office: Office) -> None:
    issue_id = an_issue(office)
    office.an_agent("reviewer")

    assert reassign(office, issue_id, "REVIEWER", f"  {WHY}  ")["to"] == "reviewer"

    (comment,) = comments(office, issue_id)
    assert comment.body.text == f"Handoff → @reviewer: {WHY}"
    assert comment.author_id == office.owner_id


def test_one_event_tells_of_the_handoff(office: Office) -> None:
    issue_id, worker = an_issue(office), office.an_agent("worker")
    reviewer = office.an_agent("reviewer")
    assign(office, issue_id, worker["id"])

    answer = reassign(office, issue_id)

    event = last(office, EventKind.AGENT_ASSIGNED)
    snapshot = event.payload.pop("issueSnapshot")
    assert event.payload == {
        "auto": False,
        "from": worker["id"],
        "to": reviewer["id"],
        "reason": "handoff",
        "rationale": WHY,
        "commentId": answer["commentId"],
    }
    assert (snapshot["id"], event.subject_id) == (issue_id, issue_id)


def test_loads_and_watches_follow_the_issue(office: Office) -> None:
    issue_id, worker = an_issue(office), office.an_agent("worker")
    reviewer = office.an_agent("reviewer")
    assign(office, issue_id, worker["id"])

    reassign(office, issue_id)

    assert (load(office, worker["id"]), load(office, reviewer["id"])) == (0, 1)
    assert watchers(office, issue_id) == {office.owner_id, worker["id"], reviewer["id"]}
