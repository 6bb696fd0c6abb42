"""Work that is over is recorded with its length, however that is said."""

from tests.workshop.office import Office
from tests.workshop.time import ago, logged, shown


def test_a_length_on_an_issue_ends_now(office: Office) -> None:
    issue = office.call("issues.create", {"title": "Fix the login"})

    entry = logged(office, 45, issueId=issue["id"])

    now = office.world.clock()
    assert (entry["startedAt"], entry["endedAt"]) == (ago(office, minutes=45), shown(now))
    assert (entry["durationMin"], entry["issueId"], entry["billable"]) == (45, issue["id"], False)
    assert "billableAmount" not in entry
    assert office.rows("time.list") == [entry]


def test_it_may_be_said_from_when_to_when(office: Office) -> None:
    times = {"startedAt": ago(office, hours=3), "endedAt": ago(office, hours=1)}

    entry = office.call("time.log", {**times, "billable": True, "hourlyRate": 33.335})

    assert {name: entry[name] for name in times} == times
    assert (entry["durationMin"], entry["billableAmount"]) == (120, 66.67)


def test_it_may_overlap_and_needs_no_timer_to_be_stopped(office: Office) -> None:
    running = office.call("time.start")

    entries = [logged(office, 30), logged(office, 60)]

    assert office.call("time.running")["id"] == running["id"]
    assert [entry["id"] for entry in office.rows("time.list")] == [
        running["id"],
        *(entry["id"] for entry in entries),
    ]


def test_the_length_is_said_in_one_way(office: Office) -> None:
    both = {"durationMin": 5, "startedAt": ago(office, hours=2), "endedAt": ago(office, hours=1)}

    for arguments in ({}, both):
        refused = office.refused("time.log", arguments)
        assert refused == (400, "invalid_input", {"durationMin", "endedAt"})
    assert office.rows("time.list") == []


def test_what_has_not_been_is_refused(office: Office) -> None:
    tomorrow = ago(office, days=-1)

    refused = office.refused("time.log", {"startedAt": tomorrow, "durationMin": 5})

    assert refused == (400, "invalid_input", {"startedAt"})


def test_an_agents_time_is_the_agents(office: Office) -> None:
    agent = office.an_agent()

    entry = logged(office, 5, key=office.an_agents_key(agent["id"]))

    assert (entry["userId"], entry["agentId"]) == (None, agent["id"])
    assert office.rows("time.list") == []
