"""A timer is stopped once, by whoever started it."""

from tests.workshop.issues import a_project, an_issue
from tests.workshop.office import Office
from tests.workshop.time import shown, tracking


def test_a_stopped_entry_says_how_long_it_took_and_what_it_costs(office: Office) -> None:
    started = office.call("time.start", {"billable": True, "hourlyRate": 90})
    office.world.clock.advance(minutes=20)

    stopped = office.call("time.stop")

    ended = {"endedAt": shown(office.world.clock()), "durationMin": 20, "billableAmount": 30.0}
    assert stopped == started | ended
    assert office.rows("time.list") == [stopped]
    assert office.mcp("time_running") == {"value": None}


def test_it_can_be_named_and_another_timer_started_afterwards(office: Office) -> None:
    first = office.call("time.start")

    assert office.call("time.stop", {"entryId": first["id"]})["id"] == first["id"]
    assert office.call("time.start")["id"] != first["id"]


def test_what_was_stopped_is_not_stopped_again(office: Office) -> None:
    stopped = office.call("time.start")
    office.call("time.stop")

    assert office.refused("time.stop") == (409, "conflict", set())
    running = office.call("time.start")
    assert office.refused("time.stop", {"entryId": stopped["id"]}) == (409, "conflict", set())
    assert office.call("time.running")["id"] == running["id"]


def test_somebody_elses_timer_is_not_found(office: Office, other_office: Office) -> None:
    entry = office.call("time.start")
    callers = [office.a_colleague().key, office.an_agents_key()]

    for key in callers:
        assert office.refused("time.stop", {"entryId": entry["id"]}, key=key) == (404, "not_found", set())
    foreign = tracking(other_office).refused("time.stop", {"entryId": entry["id"]})
    assert foreign == (404, "not_found", set())
    assert office.call("time.running")["id"] == entry["id"]


def test_two_who_stop_it_at_once_stop_it_once(office: Office) -> None:
    tracking(office)
    office.call("time.start")
    office.meanwhile(lambda: office.call("time.stop"))

    assert office.refused("time.stop") == (409, "conflict", set())
    assert [row.action for row in office.log() if row.subject_type == "time-entry"] == ["start", "stop"]


def test_a_key_that_does_not_see_the_issue_neither_shows_nor_stops_the_timer(office: Office) -> None:
    narrowed = office.a_key(projectIds=[a_project(office)])["rawKey"]
    office.call("time.start", {"issueId": an_issue(office)})

    for tool in ("time.stop", "time.running"):
        assert office.refused(tool, key=narrowed) == (403, "forbidden", set())
    assert office.call("time.stop")["durationMin"] == 0
