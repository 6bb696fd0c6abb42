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
