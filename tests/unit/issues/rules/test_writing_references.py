"""Which labels an issue gets and loses, and what its project and its parent may be."""

import pytest

from forge.errors import Conflict, InvalidInput, PreconditionFailed
from forge.store.readings import NeverRead
from forge.testing.builders import a_change, a_desk, a_label, a_project, an_agent, an_issue
from forge.work.issues.issues import MAX_LABELS
from functions.issues.rules import writing
from tests.unit.outcomes import given_to, told, woken

OLD, NEW, KEPT = a_label("old"), a_label("new"), a_label("kept")
ALL = [OLD, NEW, KEPT]


def test_labels_are_added_and_removed_at_once() -> None:
    change = a_change(an_issue(label_ids={OLD.id, KEPT.id}), holding=ALL)

    assert writing.relabel(change, add=[NEW.id], remove=[OLD.id]) == ([NEW.id], [OLD.id])

    assert change.issue.label_ids == {NEW.id, KEPT.id}
    assert told(change) == [("ISSUE_UPDATED", {"add": [NEW.id], "remove": [OLD.id]})]


def test_only_what_really_changes_is_told() -> None:
    change = a_change(an_issue(label_ids={KEPT.id}), holding=ALL)

    added, removed = writing.relabel(change, add=[KEPT.id, NEW.id, NEW.id], remove=[OLD.id])

    assert (added, removed) == ([NEW.id], [])


@pytest.mark.parametrize(
    ("add", "remove"), [([], []), ([KEPT.id], []), ([], [OLD.id]), ([KEPT.id], [KEPT.id])]
)
def test_where_nothing_changes_nothing_is_told(add: list[str], remove: list[str]) -> None:
    change = a_change(an_issue(label_ids={KEPT.id}), holding=ALL)

    assert writing.relabel(change, add=add, remove=remove) == ([], [])

    assert (change.issue, change.announced, change.writes_head) == (change.before, [], False)


def test_what_is_removed_and_added_is_there_afterwards() -> None:
    change = a_change(an_issue(), holding=ALL)

    assert writing.relabel(change, add=[NEW.id], remove=[NEW.id]) == ([NEW.id], [])

    assert change.issue.label_ids == {NEW.id}


def test_a_deleted_label_is_let_go_of_when_others_change_and_not_told() -> None:
    change = a_change(an_issue(label_ids={OLD.id}), holding=[NEW], knowing_absent=[OLD.key])

    assert writing.relabel(change, add=[NEW.id], remove=[]) == ([NEW.id], [])

    assert change.issue.label_ids == {NEW.id}


def test_a_deleted_label_alone_is_no_reason_to_write() -> None:
    change = a_change(an_issue(label_ids={OLD.id}), knowing_absent=[OLD.key])

    assert writing.relabel(change, add=[], remove=[OLD.id]) == ([], [])

    assert not change.writes_head


def test_an_issue_has_a_number_of_labels_at_most_and_a_deleted_one_takes_no_place() -> None:
    many = [a_label(f"l{place}") for place in range(MAX_LABELS)]
    issue = an_issue(label_ids={label.id for label in many})
    full = a_change(issue, holding=[*many, NEW])
    exchanged = a_change(issue, holding=[*many, NEW])
    with_a_gap = a_change(issue, holding=[*many[1:], NEW], knowing_absent=[many[0].key])

    with pytest.raises(PreconditionFailed):
        writing.relabel(full, add=[NEW.id], remove=[])
    writing.relabel(exchanged, add=[NEW.id], remove=[many[0].id])
    writing.relabel(with_a_gap, add=[NEW.id], remove=[])

    assert len(exchanged.issue.label_ids) == len(with_a_gap.issue.label_ids) == MAX_LABELS
    assert full.announced == []


def test_a_label_of_the_issue_that_was_not_read_is_not_taken_for_a_deleted_one() -> None:
    change = a_change(an_issue(label_ids={OLD.id}), holding=[NEW])

    with pytest.raises(NeverRead):
        writing.relabel(change, add=[NEW.id], remove=[])


def test_labels_are_news_for_who_has_the_issue() -> None:
    agent = an_agent()
    change = a_change(given_to(an_issue(), agent), holding=[NEW, agent])

    writing.relabel(change, add=[NEW.id], remove=[])

    assert woken(change) == [(agent.id, "ISSUE_UPDATED")]


def test_a_label_must_be_there() -> None:
    names = a_desk(an_issue(), holding=[NEW], knowing_absent=[OLD.key]).names

    writing.require_labels(names, [NEW.id], field="add")
    with pytest.raises(InvalidInput) as refused:
        writing.require_labels(names, [NEW.id, OLD.id], field="add")
    with pytest.raises(NeverRead):
        writing.require_labels(names, [KEPT.id], field="add")

    assert set(refused.value.issues or ()) == {"add"}


def test_a_project_must_be_there_and_not_archived() -> None:
    writing.require_project(a_project(), "Website")

    with pytest.raises(InvalidInput) as refused:
        writing.require_project(None, "Website")
    with pytest.raises(Conflict):
        writing.require_project(a_project(archived=True), "Website")
    assert set(refused.value.issues or ()) == {"projectId"}


def test_a_parent_is_another_issue() -> None:
    issue = an_issue(id="iss_1")

    assert writing.require_parent(issue, an_issue(id="iss_2")).id == "iss_2"
    for missing_or_itself in (None, issue):
        with pytest.raises(InvalidInput) as refused:
            writing.require_parent(issue, missing_or_itself)
        assert set(refused.value.issues or ()) == {"parentId"}


def test_nothing_above_an_issue_is_a_part_of_it() -> None:
    issue, parent, above = (an_issue(id=f"iss_{number}") for number in range(3))

    writing.require_no_circle(issue, [parent, above])

    for line in ([parent, issue], [parent, above, issue]):
        with pytest.raises(Conflict):
            writing.require_no_circle(issue, line)


def test_parts_are_nested_only_so_deep() -> None:
    line = [an_issue(id=f"iss_{number}") for number in range(writing.MAX_ABOVE + 1)]

    writing.require_no_circle(an_issue(id="iss_x"), line[:-1])

    with pytest.raises(PreconditionFailed):
        writing.require_no_circle(an_issue(id="iss_x"), line)
