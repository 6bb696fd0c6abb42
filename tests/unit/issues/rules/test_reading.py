"""Which issues a list shows, each filter by itself and together, and where each stands in an order."""

from datetime import timedelta
from typing import Any

import pytest

from forge.context import Caller, Narrowing
from forge.errors import Forbidden, InvalidInput
from forge.testing.builders import a_caller, a_status, an_issue
from forge.testing.clock import NOON
from forge.work.issues.issues import Half, IssueItem, Priority
from forge.work.workspace.statuses import StatusCategory
from functions.issues.models.reading import ListIssues, OrderBy
from functions.issues.rules import reading

BLOCKED = a_status(StatusCategory.TODO, id="sta_blocked", name="Blocked")
STATUSES = [*(a_status(category) for category in StatusCategory), BLOCKED]
ALL, DONE = frozenset(StatusCategory), frozenset({StatusCategory.DONE})
INITIATIVES = {"prj_1": "ini_1", "prj_2": "ini_2", "prj_3": None}


def states(**asked: Any) -> reading.States:
    return reading.wanted_states(ListIssues.model_validate(asked), STATUSES)


def shows(issue: IssueItem, caller: Caller | None = None, **asked: Any) -> bool:
    request = ListIssues.model_validate(asked)
    wanted = reading.wanted_states(request, STATUSES)
    return reading.accepts(request, caller or a_caller(), wanted, INITIATIVES)(issue)


@pytest.mark.parametrize(
    ("asked", "categories"),
    [
        ({}, ALL - DONE),
        ({"includeDone": None}, ALL - DONE),
        ({"includeDone": False}, ALL - DONE),
        ({"includeDone": True}, ALL),
        ({"query": "login"}, ALL),
        ({"query": "login", "includeDone": False}, ALL - DONE),
        ({"statusCategories": ["DONE"]}, DONE),
        ({"statusCategories": ["DONE"], "includeDone": False}, DONE),
        ({"statusCategories": []}, ALL - DONE),
    ],
)
def test_done_issues_are_hidden_unless_somebody_asks_for_them(
    asked: dict[str, Any], categories: frozenset[StatusCategory]
) -> None:
    assert states(**asked) == reading.States(None, categories)


@pytest.mark.parametrize(
    ("asked", "ids", "categories"),
    [
        ({"status": "Todo"}, {"sta_todo", "sta_blocked"}, {"TODO"}),
        ({"status": " blocked "}, {"sta_blocked"}, {"TODO"}),
        ({"status": "sta_blocked"}, {"sta_blocked"}, {"TODO"}),
        ({"status": "in_progress"}, {"sta_in_progress"}, {"IN_PROGRESS"}),
        ({"status": "In Progress"}, {"sta_in_progress"}, {"IN_PROGRESS"}),
        ({"statusId": "sta_done"}, {"sta_done"}, {"DONE"}),
        ({"status": "done", "includeDone": False}, {"sta_done"}, {"DONE"}),
        ({"statusId": "Blocked"}, {"sta_blocked"}, {"TODO"}),
        ({"status": "Todo", "statusId": "sta_blocked"}, {"sta_blocked"}, {"TODO"}),
        ({"status": "Todo", "statusId": "sta_done"}, set(), set()),
        ({"status": "Todo", "statusCategories": ["TODO", "DONE"]}, {"sta_todo", "sta_blocked"}, {"TODO"}),
        ({"status": "Todo", "statusCategories": ["DONE"]}, {"sta_todo", "sta_blocked"}, set()),
    ],
)
def test_a_status_is_asked_for_by_id_name_or_category(
    asked: dict[str, Any], ids: set[str], categories: set[str]
) -> None:
    assert states(**asked) == reading.States(frozenset(ids), frozenset(map(StatusCategory, categories)))


def test_a_status_that_nothing_is_called_by_is_a_mistake() -> None:
    with pytest.raises(InvalidInput) as refused:
        states(status="Nonsense")

    assert set(refused.value.issues or ()) == {"status"}


@pytest.mark.parametrize(
    ("asked", "halves"),
    [
        ({}, [Half.LIVE]),
        ({"includeDone": True}, [Half.LIVE, Half.DONE]),
        ({"statusCategories": ["DONE"]}, [Half.DONE]),
        ({"statusCategories": ["DONE", "CANCELED"]}, [Half.LIVE, Half.DONE]),
        ({"status": "Blocked", "statusId": "sta_done"}, []),
    ],
)
def test_only_the_halves_of_the_board_that_can_hold_something_are_read(
    asked: dict[str, Any], halves: list[Half]
) -> None:
    assert states(**asked).halves == halves


@pytest.mark.parametrize(
    ("fields", "asked", "is_shown"),
    [
        ({"priority": "HIGH"}, {"priority": "HIGH"}, True),
        ({"priority": "HIGH"}, {"priority": "LOW"}, False),
        ({"priority": "HIGH"}, {"priorities": ["LOW", "HIGH"]}, True),
        ({"priority": "HIGH"}, {"priorities": ["LOW"]}, False),
        ({"priority": "HIGH"}, {"priority": "HIGH", "priorities": ["LOW"]}, False),
        ({"project_id": "prj_1"}, {"projectId": "prj_1"}, True),
        ({"project_id": "prj_1"}, {"projectId": "prj_2"}, False),
        ({"project_id": "prj_1"}, {"projectIds": ["prj_2", "prj_1"]}, True),
        ({"project_id": "prj_1"}, {"projectId": "prj_1", "projectIds": ["prj_2"]}, False),
        ({}, {"projectIds": ["prj_1"]}, False),
        ({"label_ids": {"lbl_1", "lbl_2"}}, {"labelIds": ["lbl_2", "lbl_3"]}, True),
        ({"label_ids": {"lbl_1"}}, {"labelIds": ["lbl_2"]}, False),
        ({}, {"labelIds": ["lbl_2"]}, False),
        ({"queued": True}, {"queued": True}, True),
        ({"queued": True}, {"queued": False}, False),
        ({}, {"queued": False}, True),
        ({}, {"queued": True}, False),
        ({"assigned_agent_id": "agt_1"}, {"assignedAgentId": "agt_1"}, True),
        ({"assigned_agent_id": "agt_1"}, {"assignedAgentId": "agt_2"}, False),
        ({"assignee_ids": {"usr_1"}}, {"assigneeId": "usr_1"}, True),
        ({"assignee_ids": {"usr_1"}}, {"assigneeId": "usr_2"}, False),
        ({}, {"unassigned": True}, True),
        ({"assignee_ids": {"usr_1"}}, {"unassigned": True}, False),
        ({"assigned_agent_id": "agt_1"}, {"unassigned": True}, False),
        ({"assigned_agent_id": "agt_1"}, {"unassigned": False}, True),
        ({}, {"unassigned": False}, False),
    ],
)
def test_each_filter_narrows_by_what_the_issue_is(
    fields: dict[str, Any], asked: dict[str, Any], is_shown: bool
) -> None:
    assert shows(an_issue(**fields), **asked) is is_shown


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        ({"cycleId": "cyc_1"}, {"cyc_1"}),
        ({"cycleIds": ["cyc_1", "cyc_2"]}, {"cyc_1", "cyc_2"}),
        ({"withoutCycle": True}, {None}),
        ({"cycleIds": ["cyc_2"], "withoutCycle": True}, {"cyc_2", None}),
        ({"withoutCycle": False}, {"cyc_1", "cyc_2"}),
        ({"cycleIds": ["cyc_2"], "withoutCycle": False}, {"cyc_2"}),
        ({}, {"cyc_1", "cyc_2", None}),
    ],
)
def test_a_cycle_or_several_or_none(asked: dict[str, Any], shown: set[str | None]) -> None:
    cycles = ("cyc_1", "cyc_2", None)

    assert {cycle for cycle in cycles if shows(an_issue(cycle_id=cycle), **asked)} == shown


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        ({"initiativeId": "ini_1"}, {"prj_1"}),
        ({"initiativeIds": ["ini_1", "ini_2"]}, {"prj_1", "prj_2"}),
        ({"withoutInitiative": True}, {"prj_3", None}),
        ({"initiativeIds": ["ini_2"], "withoutInitiative": True}, {"prj_2", "prj_3", None}),
        ({"withoutInitiative": False}, {"prj_1", "prj_2"}),
        ({}, {"prj_1", "prj_2", "prj_3", None}),
    ],
)
def test_an_issue_is_in_the_initiative_of_its_project(asked: dict[str, Any], shown: set[str | None]) -> None:
    projects = (*INITIATIVES, None)

    assert {project for project in projects if shows(an_issue(project_id=project), **asked)} == shown
    assert reading.names_initiatives(ListIssues.model_validate(asked)) is bool(asked)


def test_what_the_viewer_wrote_is_an_agents_or_a_persons() -> None:
    person, agent = a_caller(), a_caller(agent_id="agt_1", user_id="usr_1")
    by_person, by_agent = an_issue(author_id="usr_1"), an_issue(author_id="usr_1", author_agent_id="agt_1")
    nobodys, nobody = an_issue(), a_caller(user_id=None)

    with pytest.raises(Forbidden):
        shows(nobodys, nobody, createdByViewer=True)

    assert shows(by_person, person, createdByViewer=True)
    assert not shows(by_person, a_caller(user_id="usr_2"), createdByViewer=True)
    assert shows(by_agent, agent, createdByViewer=True)
    assert not shows(by_person, agent, createdByViewer=True)
    assert not shows(nobodys, person, createdByViewer=True)
    assert shows(nobodys, person, createdByViewer=False)


def test_a_status_counts_by_its_id_and_not_only_by_its_category() -> None:
    assert shows(an_issue(category="TODO", status_id="sta_blocked"), status="Blocked")
    assert not shows(an_issue(category="TODO"), status="Blocked")
    assert shows(an_issue(category="DONE"), statusId="sta_done")
    assert not shows(an_issue(category="DONE"))
    assert shows(an_issue(category="CANCELED"))


def test_a_deleted_issue_is_never_shown() -> None:
    assert not shows(an_issue(deleted_at=NOON), includeDone=True)


def test_a_narrowed_key_sees_no_more_by_any_filter() -> None:
    caller = a_caller(narrowing=Narrowing(frozenset({"prj_1"}), frozenset({"lbl_1"})))

    assert shows(an_issue(project_id="prj_1"), caller)
    assert shows(an_issue(label_ids={"lbl_1"}), caller)
    assert not shows(an_issue(), caller)
    assert not shows(an_issue(project_id="prj_2"), caller, projectId="prj_2")


FITTING: dict[str, Any] = {"project_id": "prj_1", "priority": "HIGH", "queued": True, "cycle_id": "cyc_1"}


@pytest.mark.parametrize("lacking", FITTING)
def test_filters_narrow_each_other(lacking: str) -> None:
    asked: dict[str, Any] = {"projectId": "prj_1", "priority": "HIGH", "queued": True, "cycleId": "cyc_1"}

    assert shows(an_issue(**FITTING), **asked)
    assert not shows(an_issue(**{name: value for name, value in FITTING.items() if name != lacking}), **asked)


def places(order: OrderBy, *issues: IssueItem) -> list[str]:
    return [issue.id for issue in sorted(issues, key=reading.PLACES[order])]


def test_places_sort_as_the_order_says() -> None:
    later = NOON + timedelta(minutes=1)
    one = an_issue(id="one", number=2, title="beta", priority=Priority.HIGH, updated_at=later)
    two = an_issue(id="two", number=10, title="Alpha", priority=Priority.LOW, created_at=later)

    assert places(OrderBy.PRIORITY, one, two) == ["two", "one"]
    assert places(OrderBy.CREATED_AT, two, one) == ["one", "two"]
    assert places(OrderBy.UPDATED_AT, one, two) == ["two", "one"]
    assert places(OrderBy.IDENTIFIER, two, one) == ["one", "two"]
    assert places(OrderBy.TITLE, one, two) == ["two", "one"]


def test_among_equals_of_one_priority_the_newest_has_the_highest_place() -> None:
    newer = an_issue(id="a", created_at=NOON + timedelta(minutes=1))

    assert places(OrderBy.PRIORITY, newer, an_issue(id="b")) == ["b", "a"]


def test_equal_titles_have_different_places_that_a_cursor_can_hold() -> None:
    long = [an_issue(id=issue_id, title="x" * 300) for issue_id in ("b", "a")]

    assert places(OrderBy.TITLE, *long) == ["a", "b"]
    assert all(len(reading.PLACES[OrderBy.TITLE](issue)) < 100 for issue in long)
