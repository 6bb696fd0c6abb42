"""Many who decide or vote at the same moment."""

from collections import Counter

from forge.work.record.log.kinds import EventKind
from tests.integration.races.crowds import at_once
from tests.workshop.issues import an_issue
from tests.workshop.office import Office
from tests.workshop.requests import a_poll, asked


def test_of_ten_who_accept_at_once_one_does_and_it_happens_once(office: Office) -> None:
    issue_id = an_issue(office)
    request_id = asked(office, issueId=issue_id, kind="TRANSITION", payload={"statusId": "Done"})

    answers = at_once(10, lambda place: office.send("actionRequests.accept", {"id": request_id}))

    assert Counter(answer.status for answer in answers) == {200: 1, 409: 9}
    assert [row.kind for row in office.log()].count(EventKind.ISSUE_STATUS_CHANGED) == 1


def test_ten_votes_at_once_add_up_and_a_vote_that_closes_meanwhile_is_exact(office: Office) -> None:
    poll = a_poll(office)
    voters = [office.a_colleague() for _ in range(10)]

    def act(place: int) -> int:
        if place == 10:
            return office.send("actionRequests.closeVoting", {"id": poll}).status
        order = {"id": poll, "optionKey": "isolate" if place % 2 else "retry"}
        return office.send("actionRequests.vote", order, key=voters[place].key).status

    statuses = at_once(11, act)

    assert statuses[10] == 200
    assert set(statuses[:10]) <= {200, 409}
    standing = office.call("actionRequests.results", {"id": poll})
    assert standing["total"] == statuses[:10].count(200)


def test_ten_votes_at_once_are_ten(office: Office) -> None:
    poll = a_poll(office)
    voters = [office.a_colleague() for _ in range(10)]

    answers = at_once(
        10,
        lambda place: office.send(
            "actionRequests.vote", {"id": poll, "optionKey": "retry"}, key=voters[place].key
        ),
    )

    assert {answer.status for answer in answers} == {200}
    assert office.call("actionRequests.results", {"id": poll})["options"][0]["count"] == 10
