"""issues.queue: an issue waits for somebody to take it, and whoever has it is told."""

from tests.workshop.issues import an_issue, head, listed, queue
from tests.workshop.office import Body, Office


def put_in(office: Office, issue_id: str, **how: str) -> Body:
    return office.call("issues.queue", {"id": issue_id}, **how)


def test_an_issue_waits_in_the_queue(office: Office) -> None:
    issue_id, other = an_issue(office), an_issue(office)

    answer = put_in(office, issue_id)

    assert (answer["id"], answer["queued"]) == (issue_id, True)
    assert queue(office) == [issue_id]
    assert listed(office, {"queued": True}) == {issue_id}
    assert listed(office, {"queued": False}) == {other}


def test_one_that_is_there_stays_and_nothing_is_told(office: Office) -> None:
    issue_id = an_issue(office)
    put_in(office, issue_id)
    before, rows = head(office, issue_id), len(office.log())
    office.world.clock.advance(minutes=1)

    put_in(office, issue_id)

    assert (head(office, issue_id), len(office.log())) == (before, rows)
