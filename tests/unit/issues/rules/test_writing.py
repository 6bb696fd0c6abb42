"""What of an edit is really new, how a new issue begins, and what its labels, project and parent may be."""

from typing import Any

import pytest

from forge.context import Caller
from forge.contract.terms import EngagementMode
from forge.errors import InvalidInput
from forge.testing.builders import (
    a_caller,
    a_change,
    a_run,
    a_status,
    a_workspace,
    an_agent,
    an_issue,
)
from forge.testing.clock import NOON
from forge.work.issues.changes import IssueChange
from forge.work.issues.edits import beginnings
from forge.work.issues.issues import CLOSED, ChecklistItem, IssueItem, Priority
from forge.work.workspace.statuses import StatusCategory
from forge.work.workspace.workspaces import AssigneeDefault
from functions.issues.rules import writing
from tests.workshop.outcomes import at_work, begun_modes, given_to, kinds, told, woken

WORKER = an_agent()
NO_TEXTS: dict[str, str | None] = {"description": None, "expected_output": None}
HEAD = {
    "title": "Mend it",
    "priority": Priority.LOW,
    "project_id": "prj_1",
    "cycle_id": "cyc_1",
    "parent_id": "iss_2",
    "due_date": NOON,
    "estimate": 2.5,
    "artifact_required": True,
    "sla_minutes": 90,
}
TESTS, DOCS = ChecklistItem(label="Tests pass"), ChecklistItem(label="Docs")


def edit_of(
    given: dict[str, Any],
    *,
    issue: IssueItem | None = None,
    texts: dict[str, str | None] | None = None,
    checklist: tuple[ChecklistItem, ...] = (),
) -> writing.Edit:
    return writing.edit_of(
        issue or an_issue(), given, texts={**NO_TEXTS, **(texts or {})}, checklist=checklist
    )


@pytest.mark.parametrize("name", writing.OF_HEAD)
def test_a_field_of_the_head_is_new_if_it_differs_and_can_be_cleared(name: str) -> None:
    whole = an_issue(**HEAD)

    assert edit_of({name: HEAD[name]}).head == {name: HEAD[name]}
    assert edit_of({name: HEAD[name]}, issue=whole).is_empty
    assert edit_of({name: None}, issue=whole).head == {name: None}


def test_what_is_not_mentioned_is_not_edited() -> None:
    assert edit_of({}, issue=an_issue(**HEAD), texts={"description": "Why"}, checklist=(TESTS,)).is_empty


@pytest.mark.parametrize("name", writing.TEXTS)
@pytest.mark.parametrize(
    ("was", "given", "is_new"),
    [
        (None, "Why", True),
        ("Why", "How", True),
        ("Why", "Why", False),
        ("Why", None, True),
        ("Why", "", True),
        (None, "", False),
        (None, None, False),
    ],
)
def test_a_text_is_new_if_it_differs_and_an_empty_one_is_none(
    name: str, was: str | None, given: str | None, is_new: bool
) -> None:
    made = edit_of({name: given}, texts={name: was})

    assert made.texts == ({name: given or None} if is_new else {})
    assert made.is_empty is not is_new


@pytest.mark.parametrize(
    ("was", "given", "expected"),
    [
        ((), [{"label": "Docs"}], [DOCS]),
        ((DOCS,), [{"label": "Docs", "done": False}], None),
        ((DOCS,), [{"label": "Docs", "done": True}], [ChecklistItem(label="Docs", done=True)]),
        ((DOCS, TESTS), [{"label": "Tests pass"}, {"label": "Docs"}], [TESTS, DOCS]),
        ((DOCS,), [], []),
        ((DOCS,), None, []),
        ((), None, None),
    ],
)
def test_a_checklist_is_new_if_any_of_it_differs(
    was: tuple[ChecklistItem, ...], given: object, expected: list[ChecklistItem] | None
) -> None:
    made = edit_of({"verification_checklist": given}, checklist=was)

    assert made.checklist == expected
    assert made.is_empty is (expected is None)


def test_a_checklist_that_no_item_could_hold_is_refused() -> None:
    fitting = [{"label": "x" * 99_000}]

    assert edit_of({"verification_checklist": fitting}).checklist is not None
    for too_long in ([*fitting, {"label": "x" * 1_000}], [{"label": "語" * 34_000}]):
        with pytest.raises(InvalidInput) as refused:
            edit_of({"verification_checklist": too_long})
        assert set(refused.value.issues or ()) == {"verificationChecklist"}


def test_only_what_is_new_is_told_long_texts_by_their_beginning_and_checklists_by_their_labels() -> None:
    given = {
        "title": "Fix the login",
        "estimate": 3,
        "description": "x" * 10_000,
        "expected_output": None,
        "verification_checklist": [{"label": "Docs", "value": "make docs"}],
    }
    change = a_change(an_issue())

    writing.edit(change, edit_of(given, texts={"expected_output": "A report"}))

    assert told(change) == [
        (
            "ISSUE_UPDATED",
            {
                "estimate": 3,
                "description": "x" * 120,
                "expectedOutput": None,
                "verificationChecklist": ["Docs"],
            },
        )
    ]


def test_an_edit_changes_the_head() -> None:
    change = a_change(an_issue())

    writing.edit(change, edit_of(HEAD))

    assert change.issue == an_issue(**HEAD)


def test_a_new_priority_is_told_a_second_time() -> None:
    change = a_change(an_issue(priority=Priority.LOW))

    writing.edit(change, edit_of({"priority": Priority.HIGH}, issue=change.issue))

    assert told(change) == [
        ("ISSUE_UPDATED", {"priority": "HIGH"}),
        ("ISSUE_PRIORITY_CHANGED", {"from": "LOW", "to": "HIGH"}),
    ]


def test_another_edit_says_nothing_of_the_priority() -> None:
    change = a_change(an_issue(priority=Priority.URGENT))

    writing.edit(change, edit_of({"title": "Two", "priority": Priority.URGENT}, issue=change.issue))

    assert kinds(change) == ["ISSUE_UPDATED"]


def edited_priority(new: Priority, **fields: Any) -> IssueChange:
    issue = given_to(an_issue(**fields), WORKER, EngagementMode.EXECUTE)
    change = a_change(issue, holding=[WORKER])
    writing.edit(change, edit_of({"priority": new}, issue=issue))
    return change


@pytest.mark.parametrize("priority", [Priority.HIGH, Priority.URGENT])
def test_what_becomes_urgent_is_work_for_who_has_it(priority: Priority) -> None:
    change = edited_priority(priority)

    assert woken(change) == [(WORKER.id, "ISSUE_PRIORITY_CHANGED")]
    assert begun_modes(change) == {WORKER.id: EngagementMode.EXECUTE}


@pytest.mark.parametrize("priority", [Priority.NONE, Priority.LOW, Priority.MEDIUM])
def test_what_becomes_no_more_than_that_is_only_news(priority: Priority) -> None:
    change = edited_priority(priority, priority=Priority.URGENT)

    assert woken(change) == [(WORKER.id, "ISSUE_UPDATED")]
    assert begun_modes(change) == {WORKER.id: EngagementMode.DISCUSS}


@pytest.mark.parametrize("category", sorted(CLOSED))
def test_a_closed_issue_is_nobodys_work_however_urgent_it_becomes(category: StatusCategory) -> None:
    change = edited_priority(Priority.URGENT, category=category)

    assert woken(change) == []
    assert (change.begun, kinds(change)) == ([], ["ISSUE_UPDATED", "ISSUE_PRIORITY_CHANGED"])


def test_what_becomes_urgent_and_nobody_has_is_told_to_nobody() -> None:
    change = a_change(an_issue())

    writing.edit(change, edit_of({"priority": Priority.URGENT}))

    assert woken(change) == []


def test_a_run_that_is_live_keeps_its_mode_when_its_issue_becomes_urgent() -> None:
    run = a_run(engagement_mode=EngagementMode.RESEARCH)
    issue = at_work(given_to(an_issue(), WORKER, EngagementMode.EXECUTE), run)
    change = a_change(issue, holding=[WORKER, run])

    writing.edit(change, edit_of({"priority": Priority.URGENT}, issue=issue))

    assert woken(change) == [(WORKER.id, "ISSUE_PRIORITY_CHANGED")]
    assert (change.begun, change.issue.live_runs) == ([], issue.live_runs)


def a_first_head(caller: Caller, category: StatusCategory, **settings: Any) -> IssueItem:
    status = a_status(category)
    workspace = a_workspace(**settings)
    return beginnings.first_head(workspace, status, caller, number=4, now=NOON, id="iss_4", title="New")


@pytest.mark.parametrize("category", StatusCategory)
def test_a_new_issue_begins_in_its_status_with_its_stamp(category: StatusCategory) -> None:
    issue = a_first_head(a_caller(), category)

    stamped = {
        StatusCategory.IN_PROGRESS: {"started_at": NOON},
        StatusCategory.DONE: {"completed_at": NOON},
        StatusCategory.CANCELED: {"canceled_at": NOON},
    }.get(category, {})
    expected = an_issue(category=category, id="iss_4", number=4, title="New", author_id="usr_1", **stamped)
    assert issue == expected


@pytest.mark.parametrize(
    ("default", "caller", "assignees"),
    [
        (AssigneeDefault.NONE, a_caller(), set()),
        (AssigneeDefault.CREATOR, a_caller(), {"usr_1"}),
        (AssigneeDefault.CREATOR, a_caller(agent_id=WORKER.id), set()),
    ],
)
def test_a_new_issue_is_its_creators_where_the_workspace_says_so(
    default: AssigneeDefault, caller: Caller, assignees: set[str]
) -> None:
    issue = a_first_head(caller, StatusCategory.TODO, default_issue_assignee_mode=default)

    assert issue.assignee_ids == assignees
    assert (issue.author_id, issue.author_agent_id) == (caller.user_id, caller.agent_id)
