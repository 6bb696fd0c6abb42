"""cycles.get and cycles.current: one cycle, by whatever it is called."""

from tests.workshop.cycles import a_cycle, add, an_active_cycle, stored_members
from tests.workshop.issues import a_project, an_issue, ids, move
from tests.workshop.office import Office


def test_the_most_urgent_come_first_and_then_the_oldest_done_ones_too(office: Office) -> None:
    cycle_id = a_cycle(office)
    low, first, second, urgent = [
        an_issue(office, priority=priority) for priority in ("LOW", "HIGH", "HIGH", "URGENT")
    ]
    add(office, cycle_id, second, low, urgent, first)
    move(office, second, "DONE")

    found = office.call("cycles.get", {"id": cycle_id})

    assert ids(found["issues"]) == [urgent, first, second, low]
    assert (found["id"], found["name"], found["issueCount"]) == (cycle_id, "Sprint 1", 4)
    assert found["issues"][2]["status"]["category"] == "DONE"
    assert "nextCursor" not in found
    single = office.pages("cycles.get", {"id": cycle_id, "limit": 1})
    assert [ids(one["issues"]) for one in single] == [[urgent], [first], [second], [low]]


def test_its_name_and_current_will_do(office: Office) -> None:
    cycle_id = an_active_cycle(office, "Sprint 12")

    for name in ("sprint 12", "current", "Current"):
        assert office.call("cycles.get", {"id": name})["id"] == cycle_id


def test_a_narrowed_key_sees_only_its_own_issues_there(office: Office) -> None:
    cycle_id, project_id = a_cycle(office), a_project(office)
    inside, outside = an_issue(office, projectId=project_id), an_issue(office)
    add(office, cycle_id, inside, outside)

    found = office.call("cycles.get", {"id": cycle_id}, key=office.a_narrowed_key(project_ids=[project_id]))

    assert ids(found["issues"]) == [inside]


def test_of_very_many_issues_it_says_that_it_has_not_seen_all(office: Office) -> None:
    cycle_id = a_cycle(office)
    stored_members(office, cycle_id, 501)

    found = office.call("cycles.get", {"id": cycle_id, "limit": 1})

    assert (found["truncated"], found["issueCount"]) == (True, 501)
    assert "issues.list" in found["reason"]


def test_the_current_one_is_the_active_one_or_null(office: Office) -> None:
    a_cycle(office, "Sprint 0")
    assert office.send("cycles.current").body == "null"
    assert office.mcp("cycles.current") == {"value": None}

    cycle_id = an_active_cycle(office)
    add(office, cycle_id, an_issue(office))

    found = office.call("cycles.current")
    assert (found["id"], found["status"], found["issueCount"]) == (cycle_id, "ACTIVE", 1)
