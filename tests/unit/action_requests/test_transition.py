"""A request can be put off, dismissed and opened again without what it asks for being done."""

from datetime import timedelta

import pytest

from forge.work.plans.requests.requests import RequestStatus
from tests.workshop.issues import an_issue
from tests.workshop.office import Body, Office
from tests.workshop.requests import asked, card, issue_of, request_events


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


def test_who_asked_withdraws_it_and_asks_again_and_settles_nothing_else(office: Office) -> None:
    agent_id = office.an_agent()["id"]
    key = office.an_agents_key(agent_id)
    request_id = asked(office, key=key)

    for status in ("RESOLVED", "REJECTED", "SNOOZED"):
        order = {"id": request_id, "status": status}
        assert office.refused("actionRequests.transition", order, key=key)[:2] == (403, "forbidden")
    set_to(office, request_id, "DISMISSED", key=key)
    row = card(office, request_id)
    set_to(office, request_id, "OPEN", key=key)

    assert (row["status"], row["resolvedByAgentId"], row["resolvedByUserId"]) == ("DISMISSED", agent_id, None)
    office.call("actionRequests.decline", {"id": request_id})
    for status in ("OPEN", "DISMISSED"):
        order = {"id": request_id, "status": status}
        assert office.refused("actionRequests.transition", order, key=key)[:2] == (403, "forbidden")


@pytest.mark.parametrize("status", [*RequestStatus])
def test_nobody_settles_what_somebody_else_was_asked(office: Office, status: str) -> None:
    ada, bob = office.a_colleague(), office.a_colleague()
    request_id = asked(office, assignedUserId=ada.id)
    order = {"id": request_id, "status": status}

    for key in (bob.key, office.an_agents_key()):
        assert office.refused("actionRequests.transition", order, key=key)[:2] == (403, "forbidden")

    assert card(office, request_id)["status"] == "OPEN"
    assert office.call("actionRequests.transition", order, key=ada.key) == {"ok": True}


def test_who_administers_the_workspace_puts_nothing_off_that_is_for_somebody_else(office: Office) -> None:
    ada = office.a_colleague()
    order = {"id": asked(office, assignedUserId=ada.id), "status": "SNOOZED"}

    assert office.refused("actionRequests.transition", order)[:2] == (403, "forbidden")


def open_ones(office: Office) -> list[str]:
    return [row["id"] for row in office.rows("actionRequests.list", {"status": "OPEN"})]


def test_what_was_put_off_is_open_again_then_even_where_the_sweep_is_late(office: Office) -> None:
    for_a_day, for_an_hour, other = asked(office), asked(office), asked(office)
    set_to(office, for_a_day, "SNOOZED", resolution="Not now.")
    set_to(office, for_an_hour, "SNOOZED", until=(office.world.clock() + timedelta(hours=1)).isoformat())
    put_off = open_ones(office)
    office.world.clock.advance(hours=1)
    an_hour_later = open_ones(office)
    office.world.clock.advance(hours=23)
    row = card(office, for_a_day)

    assert put_off == [other]
    assert an_hour_later == [other, for_an_hour]
    assert (row["status"], row["resolution"], "snoozedUntil" in row) == ("OPEN", None, False)
    assert office.rows("actionRequests.list", {"status": "SNOOZED"}) == []
    assert office.call("actionRequests.accept", {"id": for_a_day})["id"] == for_a_day


def test_the_sweep_opens_what_was_put_off_once_and_tells_of_it(office: Office) -> None:
    request_id = asked(office)
    set_to(office, request_id, "SNOOZED", resolution="Not now.")
    office.world.clock.advance(days=1, minutes=1)

    office.sweep()
    office.sweep()

    told = [(row.payload["previousStatus"], row.payload["status"]) for row in request_events(office)[1:]]
    assert told == [("OPEN", "SNOOZED"), ("SNOOZED", "OPEN")]
    assert card(office, request_id)["resolution"] is None


@pytest.mark.parametrize(
    ("status", "until"),
    [
        ("SNOOZED", "2020-01-01T00:00:00Z"),
        ("SNOOZED", "2900-01-01T00:00:00Z"),
        ("OPEN", "2800-12-31T00:00:00Z"),
    ],
)
def test_only_what_is_put_off_has_a_time_and_that_is_to_come(office: Office, status: str, until: str) -> None:
    order = {"id": asked(office), "status": status, "until": until}

    assert office.refused("actionRequests.transition", order) == (400, "invalid_input", {"until"})
