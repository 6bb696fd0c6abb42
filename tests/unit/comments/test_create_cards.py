"""A comment may bring a request along: both are there, or neither."""

from tests.workshop.comments import stored
from tests.workshop.issues import an_issue
from tests.workshop.office import Body, Office


def test_a_card_is_raised_with_the_comment_and_each_knows_the_other(office: Office) -> None:
    issue_id, key = an_issue(office), office.an_agents_key()
    card = {"title": "Close it?", "kind": "TRANSITION", "payload": {"statusId": "done"}}

    posted = office.call(
        "comments.create", {"issueId": issue_id, "body": "Done, I think.", "actionRequest": card}, key=key
    )

    (row,) = office.rows("actionRequests.list", {"issueId": issue_id})
    assert posted["actionRequestId"] == row["id"]
    assert (row["sourceType"], row["sourceId"], row["title"]) == ("comment", posted["id"], "Close it?")
    assert office.rows("comments.list", {"issueId": issue_id})[0]["actionRequestId"] == row["id"]
    assert office.call("actionRequests.accept", {"id": row["id"]})["dispatched"] is True


def test_a_card_that_can_not_be_raised_keeps_the_comment_back(office: Office) -> None:
    issue_id = an_issue(office)
    wrong: dict[str, Body] = {
        "actionRequest.payload.statusId": {"kind": "TRANSITION", "payload": {"statusId": "Nowhere"}},
        "actionRequest.assignedUserId": {"assignedUserId": "nobody"},
        "actionRequest.options": {"options": [{"key": "a", "label": "A"}]},
    }

    for field, card in wrong.items():
        order = {"issueId": issue_id, "body": "See.", "actionRequest": {"title": "Well?", **card}}
        assert office.refused("comments.create", order) == (400, "invalid_input", {field})
    assert stored(office, issue_id) == []
    assert office.rows("actionRequests.list") == []
