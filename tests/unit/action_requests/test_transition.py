"""A request can be put off, dismissed and opened again without what it asks for being done."""

from tests.unit.action_requests.cards import an_issue, asked, card, issue_of, request_events
from tests.unit.office import Body, Office


def set_to(office: Office, request_id: str, status: str, **more: str) -> None:
    key = more.pop("key", office.owner_key)
    order = {"id": request_id, "status": status, **more}
    assert office.call("actionRequests.transition", order, key=key) == {"ok": True}


def test_a_dismissed_request_says_who_and_why_and_one_that_is_open_again_does_not(office: Office) -> None:
    issue_id = an_issue(office)
    proposal: Body = {"kind": "TRANSITION", "payload": {"statusId": "Done"}}
    request_id = asked(office, issueId=issue_id, **proposal)

    set_to(office, request_id, "DISMISSED", resolution="Not needed.")
    dismissed = card(office, request_id)
    set_to(office, request_id, "OPEN")
    opened = card(office, request_id)

    assert (dismissed["status"], dismissed["resolution"]) == ("DISMISSED", "Not needed.")
    assert (dismissed["resolvedByUserId"], bool(dismissed["resolvedAt"])) == (office.owner_id, True)
    assert (opened["status"], opened["resolution"]) == ("OPEN", None)
    assert (opened["resolvedByUserId"], opened["resolvedAt"]) == (None, None)
    assert issue_of(office, issue_id)["status"]["category"] == "BACKLOG"
    told = [(row.payload["previousStatus"], row.payload["status"]) for row in request_events(office)[1:]]
    assert told == [("OPEN", "DISMISSED"), ("DISMISSED", "OPEN")]


def test_an_agent_withdraws_what_it_asked(office: Office) -> None:
    agent_id = office.an_agent()["id"]
    key = office.an_agents_key(agent_id)
    request_id = asked(office, key=key)

    set_to(office, request_id, "RESOLVED", key=key)

    row = card(office, request_id)
    assert (row["status"], row["resolvedByAgentId"], row["resolvedByUserId"]) == ("RESOLVED", agent_id, None)


def test_the_same_again_is_no_news(office: Office) -> None:
    request_id = asked(office)

    for _ in range(2):
        set_to(office, request_id, "SNOOZED", resolution="r" * 500)

    assert len(request_events(office)) == 2
    assert card(office, request_id)["resolution"] == "r" * 500
