"""issues.list: each filter by itself, filters together, and what a narrowed key sees through them."""

from typing import Any

import pytest

from forge.work.planning import planning_keys
from tests.unit.issues.board import (
    a_project,
    a_queued_issue,
    an_issue,
    assign,
    issues,
    listed,
    move,
    status_id,
)
from tests.unit.office import Office


def an_initiative(office: Office) -> str:
    """Its count alone, which is what projects know of it."""
    initiative_id: str = office.world.ids("ini")
    tx = office.begin()
    place = planning_keys.initiative_count(office.workspace.id, initiative_id)
    tx.adjust(place, add={"projects": 0}, must_exist=False)
    office.commit(tx)
    return initiative_id


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


def test_an_agents_done_issues_are_hidden_like_all_others(office: Office) -> None:
    agent_id = office.an_agent()["id"]
    opened, done = issues(office, 2)
    for issue_id in (opened, done):
        assign(office, issue_id, agent_id)
    move(office, done, "DONE")

    assert listed(office, {"assignedAgentId": agent_id}) == {opened}
    assert listed(office, {"assignedAgentId": agent_id, "includeDone": True}) == {opened, done}


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
    first, second = an_initiative(office), an_initiative(office)
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


@pytest.mark.parametrize("unknown", ["Nonsense", "  ", ""])
def test_a_status_that_nothing_is_called_by_is_a_mistake(office: Office, unknown: str) -> None:
    assert office.refused("issues.list", {"status": unknown}) == (400, "invalid_input", {"status"})


@pytest.mark.parametrize("field", ["statusId", "status", "projectId", "assignedAgentId", "assigneeId"])
def test_a_filter_by_what_is_not_there_is_a_mistake(office: Office, other_office: Office, field: str) -> None:
    foreign = {
        "statusId": status_id(other_office, "BACKLOG"),
        "status": status_id(other_office, "BACKLOG"),
        "projectId": a_project(other_office),
        "assignedAgentId": other_office.an_agent()["id"],
        "assigneeId": other_office.owner_id,
    }

    for unknown in ("nothing", foreign[field]):
        assert office.refused("issues.list", {field: unknown}) == (400, "invalid_input", {field})


@pytest.mark.parametrize("include", [{}, {"includeDone": False}, {"includeDone": True}])
def test_whoever_names_done_sees_what_is_done(office: Office, include: dict[str, object]) -> None:
    done, opened = issues(office, 2)
    move(office, done, "DONE")

    assert listed(office, {"statusCategories": ["DONE"], **include}) == {done}
    assert listed(office, {"statusCategories": ["DONE", "BACKLOG"], **include}) == {done, opened}
    assert listed(office, {"statusId": status_id(office, "DONE"), **include}) == {done}
    assert listed(office, {"status": "Done", **include}) == {done}


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
