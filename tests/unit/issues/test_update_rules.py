"""issues.update: parents, narrowed keys, and whom an edit wakes."""

from itertools import pairwise

import pytest

from forge.work.record.log.kinds import EventKind
from forge.work.record.log.rows import Wake
from tests.workshop.issues import (
    a_project,
    an_issue,
    assign,
    head,
    last,
    live_run,
    woken,
)
from tests.workshop.office import Body, Office


def update(office: Office, issue_id: str, *, key: str | None = None, **fields: object) -> Body:
    return office.call("issues.update", {"id": issue_id, **fields}, key=key or office.owner_key)


def test_items_of_a_checklist_do_not_share_an_id(office: Office) -> None:
    issue_id = an_issue(office)
    checks = [{"id": "a", "label": "Tests pass"}, {"id": "a", "label": "Docs are there"}]

    for tool, given in (("issues.create", {"title": "Ship"}), ("issues.update", {"id": issue_id})):
        refused = office.refused(tool, {**given, "verificationChecklist": checks})
        assert refused == (400, "invalid_input", {"verificationChecklist"})
    unnamed = [{"label": "Tests pass"}, {"label": "Docs are there"}, {"id": "a", "label": "It runs"}]
    assert update(office, issue_id, verificationChecklist=unnamed)["id"] == issue_id


def test_parts_make_no_circle_however_long(office: Office) -> None:
    line = [an_issue(office) for _ in range(5)]
    for parent, child in pairwise(line):
        update(office, child, parentId=parent)

    refused = office.refused("issues.update", {"id": line[0], "parentId": line[-1]})

    assert refused[:2] == (409, "conflict")
    assert head(office, line[0]).parent_id is None


def test_a_parent_that_the_key_may_not_see_is_unknown(office: Office) -> None:
    inside = a_project(office)
    child, hidden = an_issue(office, projectId=inside), an_issue(office)
    key = office.a_narrowed_key(project_ids=[inside])

    refused = office.refused("issues.update", {"id": child, "parentId": hidden}, key=key)

    assert refused == (400, "invalid_input", {"parentId"})


@pytest.mark.parametrize("is_none", [True, False])
def test_a_narrowed_key_moves_nothing_out_of_its_own_sight(office: Office, is_none: bool) -> None:
    inside, outside = a_project(office), a_project(office, "OTHER")
    issue_id = an_issue(office, projectId=inside)
    key = office.a_narrowed_key(project_ids=[inside])
    wanted = {"id": issue_id, **({"clear": ["projectId"]} if is_none else {"projectId": outside})}

    assert office.refused("issues.update", wanted, key=key)[:2] == (403, "forbidden")
    assert head(office, issue_id).project_id == inside


def test_a_key_that_sees_it_by_its_label_may_move_it_anywhere(office: Office) -> None:
    label_id, project_id = office.a_label()["id"], a_project(office)
    issue_id = an_issue(office, labelIds=[label_id])
    key = office.a_narrowed_key(label_ids=[label_id])

    assert update(office, issue_id, projectId=project_id, key=key)["projectId"] == project_id


def test_an_edit_is_told_to_the_agent_that_has_the_issue(office: Office) -> None:
    issue_id, agent_id = an_issue(office), office.an_agent()["id"]
    assign(office, issue_id, agent_id)
    given, place = live_run(office, issue_id, agent_id), len(office.log())

    update(office, issue_id, title="Two")

    event = last(office, EventKind.ISSUE_UPDATED)
    assert event.wakes == [Wake(agent_id=agent_id, run_id=given.id)]
    assert woken(office, place) == [(agent_id, "ISSUE_UPDATED")]
    assert live_run(office, issue_id, agent_id).trigger_event_id == event.id


@pytest.mark.parametrize(
    ("field", "tool"),
    [("statusId", "issues_transition"), ("assignedAgentId", "issues_assign"), ("labels", "issues_setLabels")],
)
def test_what_another_tool_changes_is_refused_with_its_name(office: Office, field: str, tool: str) -> None:
    arguments = {"id": an_issue(office), field: "x"}

    answer = office.world.call("issues.update", arguments, key=office.owner_key)

    assert tool in answer["structuredContent"]["issues"][field]
