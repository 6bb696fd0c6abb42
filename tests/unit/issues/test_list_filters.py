"""issues.list: each filter by itself, filters together, and what a narrowed key sees through them."""

from typing import Any

import pytest

from tests.workshop.issues import a_project, a_queued_issue, an_issue, assign, issues, listed, move
from tests.workshop.office import Office


def a_cycle(office: Office, name: str = "Sprint 1") -> str:
    return str(office.call("cycles.create", {"name": name})["id"])


def in_cycle(office: Office, cycle_id: str | None) -> str:
    issue_id = an_issue(office)
    if cycle_id:
        office.call("issues.update", {"id": issue_id, "cycleId": cycle_id})
    return issue_id


def test_one_project_or_one_of_several(office: Office) -> None:
    first, second = a_project(office, "ONE"), a_project(office, "TWO")
    one, two = (an_issue(office, projectId=project_id) for project_id in (first, second))
    loose = an_issue(office)

    assert listed(office) == {one, two, loose}
    assert listed(office, {"projectId": first}) == {one}
    assert listed(office, {"projectIds": [first, second]}) == {one, two}
    assert listed(office, {"projectId": first, "projectIds": [second]}) == set()
    assert listed(office, {"projectId": first, "projectIds": [first, second]}) == {one}


@pytest.mark.parametrize("order", ["priority", "createdAt", "updatedAt", "title"])
def test_more_projects_than_can_be_read_one_by_one(office: Office, order: str) -> None:
    projects = [a_project(office, f"P{place}") for place in range(12)]
    inside = {an_issue(office, projectId=project_id) for project_id in projects[:11]}
    an_issue(office, projectId=projects[11])
    an_issue(office)

    found = listed(office, {"projectIds": projects[:11], "includeDone": True, "orderBy": order})

    assert found == inside


def test_an_agents_issues_or_those_that_nobody_has(office: Office) -> None:
    first, second = office.an_agent("one")["id"], office.an_agent("two")["id"]
    ones, twos, nobodys = issues(office, 3)
    assign(office, ones, first)
    assign(office, twos, second)

    assert listed(office, {"assignedAgentId": first}) == {ones}
    assert listed(office, {"unassigned": True}) == {nobodys}
    for nothing in (None, "null"):
        assert listed(office, {"assignedAgentId": nothing}) == {ones, twos, nobodys}


def test_a_cycle_or_several_or_none(office: Office) -> None:
    one, two = a_cycle(office), a_cycle(office, "Sprint 2")
    first, second, none = (in_cycle(office, cycle) for cycle in (one, two, None))
    office.call("cycles.update", {"id": one, "status": "ACTIVE"})

    assert listed(office, {"cycleId": one}) == {first}
    assert listed(office, {"cycleId": "current"}) == {first}
    assert listed(office, {"cycleId": None}) == {first, second, none}
    assert listed(office, {"cycleIds": [one, "sprint 2"]}) == {first, second}
    assert listed(office, {"withoutCycle": True}) == {none}
    assert listed(office, {"cycleIds": [two], "withoutCycle": True}) == {second, none}
    assert listed(office, {"withoutCycle": False}) == {first, second}


def test_the_done_issues_of_a_cycle_are_hidden_like_all_others(office: Office) -> None:
    cycle_id = a_cycle(office)
    opened, done = in_cycle(office, cycle_id), in_cycle(office, cycle_id)
    move(office, done, "DONE")

    assert listed(office, {"cycleId": cycle_id}) == {opened}
    assert listed(office, {"cycleId": cycle_id, "includeDone": True}) == {opened, done}


def test_an_initiative_or_several_or_none(office: Office) -> None:
    first, second = (office.an_initiative()["id"] for _ in range(2))
    one, two = (
        an_issue(office, projectId=a_project(office, key, initiativeId=initiative))
        for key, initiative in (("ONE", first), ("TWO", second))
    )
    loose, outside = an_issue(office), an_issue(office, projectId=a_project(office, "OUT"))

    assert listed(office, {"initiativeId": first}) == {one}
    assert listed(office, {"initiativeId": None}) == {one, two, loose, outside}
    assert listed(office, {"initiativeIds": [first, second]}) == {one, two}
    assert listed(office, {"withoutInitiative": True}) == {loose, outside}
    assert listed(office, {"initiativeIds": [second], "withoutInitiative": True}) == {two, loose, outside}
    assert listed(office, {"withoutInitiative": False}) == {one, two}


@pytest.mark.parametrize("order", ["priority", "createdAt", "updatedAt", "title", "identifier"])
def test_filters_narrow_each_other_in_every_order(office: Office, order: str) -> None:
    project_id, label_id = a_project(office), office.a_label()["id"]
    agent_id = office.an_agent()["id"]
    whole: dict[str, Any] = {"projectId": project_id, "labelIds": [label_id], "priority": "HIGH"}
    fitting = a_queued_issue(office, **whole)
    assign(office, fitting, agent_id)
    for lacking in whole:
        almost = a_queued_issue(office, **{name: value for name, value in whole.items() if name != lacking})
        assign(office, almost, agent_id)
    assign(office, an_issue(office, **whole), agent_id)
    a_queued_issue(office, **whole)

    filters = {**whole, "assignedAgentId": agent_id, "queued": True, "status": "BACKLOG"}

    assert listed(office, {**filters, "orderBy": order}) == {fitting}
