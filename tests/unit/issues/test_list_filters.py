"""issues.list: each filter by itself, filters together, and what a narrowed key sees through them."""

from typing import Any

import pytest

from forge.work.planning import planning_keys
from tests.unit.issues.board import (
    a_project,
    a_queued_issue,
    an_agents_key,
    an_issue,
    assign,
    head,
    issues,
    listed,
    move,
    now,
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


def in_cycle(office: Office, cycle_id: str | None) -> str:
    issue_id = an_issue(office)
    tx = office.begin()
    tx.replace(head(office, issue_id).changed(cycle_id=cycle_id, updated_at=now(office)))
    office.commit(tx)
    return issue_id


def test_one_priority_or_one_of_several(office: Office) -> None:
    low, high, urgent = (an_issue(office, priority=one) for one in ("LOW", "HIGH", "URGENT"))

    assert listed(office, {"priority": "HIGH"}) == {high}
    assert listed(office, {"priorities": ["LOW", "URGENT"]}) == {low, urgent}
    assert listed(office, {"priority": "LOW", "priorities": ["HIGH"]}) == set()
    assert listed(office, {"priority": "LOW", "priorities": ["LOW", "HIGH"]}) == {low}


def test_one_project_or_one_of_several(office: Office) -> None:
    first, second = a_project(office, "ONE"), a_project(office, "TWO")
    one, two = (an_issue(office, projectId=project_id) for project_id in (first, second))
    loose = an_issue(office)

    assert listed(office) == {one, two, loose}
    assert listed(office, {"projectId": first}) == {one}
    assert listed(office, {"projectIds": [first, second]}) == {one, two}
    assert listed(office, {"projectId": first, "projectIds": [second]}) == set()
    assert listed(office, {"projectId": first, "projectIds": [first, second]}) == {one}
    assert listed(office, {"projectId": "prj_none"}) == set()


@pytest.mark.parametrize("order", ["priority", "createdAt", "updatedAt", "title"])
def test_more_projects_than_can_be_read_one_by_one(office: Office, order: str) -> None:
    projects = [a_project(office, f"P{place}") for place in range(12)]
    inside = {an_issue(office, projectId=project_id) for project_id in projects[:11]}
    an_issue(office, projectId=projects[11])
    an_issue(office)

    found = listed(office, {"projectIds": projects[:11], "includeDone": True, "orderBy": order})

    assert found == inside


def test_at_least_one_of_the_labels(office: Office) -> None:
    bug, docs, other = (office.a_label(name)["id"] for name in ("bug", "docs", "other"))
    both, one = an_issue(office, labelIds=[bug, docs]), an_issue(office, labelIds=[docs])
    an_issue(office, labelIds=[other])
    an_issue(office)

    assert listed(office, {"labelIds": [bug]}) == {both}
    assert listed(office, {"labelIds": [bug, docs]}) == {both, one}
    assert listed(office, {"labelIds": ["lbl_none"]}) == set()


def test_an_agents_issues_or_those_without_an_agent(office: Office) -> None:
    first, second = office.an_agent("one")["id"], office.an_agent("two")["id"]
    ones, twos, nobodys = issues(office, 3)
    assign(office, ones, first)
    assign(office, twos, second)

    assert listed(office, {"assignedAgentId": first}) == {ones}
    assert listed(office, {"assignedAgentId": None}) == {nobodys}
    assert listed(office, {"assignedAgentId": "agt_none"}) == set()
    assert listed(office, {"assignedAgentId": "null"}) == {ones, twos, nobodys}


def test_an_agents_done_issues_are_hidden_like_all_others(office: Office) -> None:
    agent_id = office.an_agent()["id"]
    opened, done = issues(office, 2)
    for issue_id in (opened, done):
        assign(office, issue_id, agent_id)
    move(office, done, "DONE")

    assert listed(office, {"assignedAgentId": agent_id}) == {opened}
    assert listed(office, {"assignedAgentId": agent_id, "includeDone": True}) == {opened, done}


def test_a_persons_issues(office: Office) -> None:
    mine, _ = issues(office, 2)
    office.call("issues.claim", {"issueId": mine})

    assert listed(office, {"assigneeId": office.owner_id}) == {mine}
    assert listed(office, {"assigneeId": "usr_none"}) == set()


def test_what_neither_person_nor_agent_has(office: Office) -> None:
    persons, agents, nobodys = issues(office, 3)
    office.call("issues.claim", {"issueId": persons})
    assign(office, agents, office.an_agent()["id"])

    assert listed(office, {"unassigned": True}) == {nobodys}
    assert listed(office, {"unassigned": False}) == {persons, agents}


def test_what_waits_in_the_queue_and_what_does_not(office: Office) -> None:
    queued, loose = a_queued_issue(office), an_issue(office)

    assert listed(office, {"queued": True}) == {queued}
    assert listed(office, {"queued": False}) == {loose}


def test_a_cycle_or_several_or_none(office: Office) -> None:
    first, second, none = (in_cycle(office, one) for one in ("cyc_1", "cyc_2", None))

    assert listed(office, {"cycleId": "cyc_1"}) == {first}
    assert listed(office, {"cycleId": None}) == {none}
    assert listed(office, {"cycleIds": ["cyc_1", "cyc_2"]}) == {first, second}
    assert listed(office, {"withoutCycle": True}) == {none}
    assert listed(office, {"cycleIds": ["cyc_2"], "withoutCycle": True}) == {second, none}
    assert listed(office, {"withoutCycle": False}) == {first, second}


def test_the_done_issues_of_a_cycle_are_hidden_like_all_others(office: Office) -> None:
    opened, done = in_cycle(office, "cyc_1"), in_cycle(office, "cyc_1")
    move(office, done, "DONE")

    assert listed(office, {"cycleId": "cyc_1"}) == {opened}
    assert listed(office, {"cycleId": "cyc_1", "includeDone": True}) == {opened, done}


def test_an_initiative_or_several_or_none(office: Office) -> None:
    first, second = an_initiative(office), an_initiative(office)
    one, two = (
        an_issue(office, projectId=a_project(office, key, initiativeId=initiative))
        for key, initiative in (("ONE", first), ("TWO", second))
    )
    loose, outside = an_issue(office), an_issue(office, projectId=a_project(office, "OUT"))

    assert listed(office, {"initiativeId": first}) == {one}
    assert listed(office, {"initiativeId": None}) == {loose, outside}
    assert listed(office, {"initiativeIds": [first, second]}) == {one, two}
    assert listed(office, {"withoutInitiative": True}) == {loose, outside}
    assert listed(office, {"initiativeIds": [second], "withoutInitiative": True}) == {two, loose, outside}
    assert listed(office, {"withoutInitiative": False}) == {one, two}


def test_what_the_viewer_wrote(office: Office) -> None:
    agent_id, colleague = office.an_agent()["id"], office.a_colleague()
    agents_key = an_agents_key(office, agent_id)
    mine, theirs = an_issue(office), an_issue(office, key=colleague.key)
    agents = an_issue(office, key=agents_key)

    assert listed(office, {"createdByViewer": True}) == {mine}
    assert listed(office, {"createdByViewer": True}, key=colleague.key) == {theirs}
    assert listed(office, {"createdByViewer": True}, key=agents_key) == {agents}
    assert listed(office, {"createdByViewer": False}) == {mine, theirs, agents}


@pytest.mark.parametrize("spelling", ["To Do", " to do ", "TODO", "todo", "id"])
def test_a_status_by_name_category_or_id(office: Office, spelling: str) -> None:
    office.call("statuses.update", {"id": status_id(office, "TODO"), "name": "To Do"})
    todo, _ = issues(office, 2)
    move(office, todo, "TODO")
    wanted = status_id(office, "TODO") if spelling == "id" else spelling

    assert listed(office, {"status": wanted}) == {todo}


def test_a_category_means_all_of_its_statuses(office: Office) -> None:
    other = office.a_status("Blocked", "TODO")["id"]
    first, second, _ = issues(office, 3)
    move(office, first, "TODO")
    office.call("issues.transition", {"id": second, "statusId": other})

    assert listed(office, {"status": "TODO"}) == {first, second}
    assert listed(office, {"status": "Blocked"}) == {second}
    assert listed(office, {"statusId": other}) == {second}


@pytest.mark.parametrize("unknown", ["Nonsense", "  ", ""])
def test_a_status_that_nothing_is_called_by_is_a_mistake(office: Office, unknown: str) -> None:
    assert office.refused("issues.list", {"status": unknown}) == (400, "invalid_input", {"status"})


def test_an_unknown_status_id_finds_nothing(office: Office, other_office: Office) -> None:
    issues(office, 1)

    for unknown in ("sta_none", status_id(other_office, "BACKLOG")):
        assert listed(office, {"statusId": unknown}) == set()


@pytest.mark.parametrize("include", [{}, {"includeDone": False}, {"includeDone": True}])
def test_whoever_names_done_sees_what_is_done(office: Office, include: dict[str, object]) -> None:
    done, opened = issues(office, 2)
    move(office, done, "DONE")

    assert listed(office, {"statusCategories": ["DONE"], **include}) == {done}
    assert listed(office, {"statusCategories": ["DONE", "BACKLOG"], **include}) == {done, opened}
    assert listed(office, {"statusId": status_id(office, "DONE"), **include}) == {done}
    assert listed(office, {"status": "Done", **include}) == {done}


def test_categories_alone_say_what_is_listed(office: Office) -> None:
    todo, canceled, _ = issues(office, 3)
    move(office, todo, "TODO")
    move(office, canceled, "CANCELED")

    assert listed(office, {"statusCategories": ["TODO"], "includeDone": True}) == {todo}
    assert listed(office, {"statusCategories": ["TODO", "CANCELED"]}) == {todo, canceled}


def test_a_status_and_categories_narrow_each_other(office: Office) -> None:
    todo, _ = issues(office, 2)
    move(office, todo, "TODO")

    assert listed(office, {"status": "Todo", "statusCategories": ["TODO", "DONE"]}) == {todo}
    assert listed(office, {"status": "Todo", "statusCategories": ["DONE"]}) == set()
    assert listed(office, {"status": "Todo", "statusId": status_id(office, "BACKLOG")}) == set()


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
