"""Somebody has one timer at a time, and the workspace has to track time at all."""

import json

from tests.workshop.issues import an_issue
from tests.workshop.office import Office
from tests.workshop.time import tracking

REFUSED_TWICE = (409, "conflict", set[str]())


def test_it_needs_no_issue_and_nothing_is_said_by_blanks(office: Office) -> None:
    entry = office.call("time.start", {"description": "  "})

    assert (entry["issueId"], entry["description"], entry["billable"]) == (None, None, False)
    assert office.rows("time.list") == [entry]


def test_a_second_timer_is_refused_and_the_first_named(office: Office) -> None:
    first = office.call("time.start")

    answer = office.send("time.start", {"issueId": an_issue(office)})

    assert answer.status == 409
    assert json.loads(answer.body)["details"] == {"entryId": first["id"]}
    assert office.rows("time.list") == [first]


def test_everybody_has_a_timer_of_their_own_and_an_agent_too(office: Office) -> None:
    colleague, agent = office.a_colleague(), office.an_agent()
    agents_key = office.an_agents_key(agent["id"])

    office.call("time.start")
    theirs = office.call("time.start", key=colleague.key)
    agents = office.call("time.start", key=agents_key)

    assert (theirs["userId"], theirs["agentId"]) == (colleague.id, None)
    assert (agents["userId"], agents["agentId"]) == (None, agent["id"])
    assert office.refused("time.start", key=agents_key) == REFUSED_TWICE


def test_of_two_that_start_at_once_one_runs(office: Office) -> None:
    tracking(office)
    office.meanwhile(lambda: office.call("time.start", {"description": "first"}))

    refused = office.refused("time.start", {"description": "second"})

    assert refused == REFUSED_TWICE
    assert [entry["description"] for entry in office.rows("time.list")] == ["first"]


def test_nothing_works_where_time_is_not_tracked(office: Office) -> None:
    running = office.call("time.start")
    office.call("workspaces.update", {"timeTrackingEnabled": False})
    calls = {
        "time.start": {"issueId": an_issue(office)},
        "time.stop": {"entryId": running["id"]},
        "time.log": {"durationMin": 5},
        "time.list": {},
        "time.summary": {},
        "time.running": {},
    }

    for tool, arguments in calls.items():
        assert office.refused(tool, arguments) == (422, "precondition_failed", set()), tool
    office.call("workspaces.update", {"timeTrackingEnabled": True})
    assert office.call("time.running")["id"] == running["id"]
