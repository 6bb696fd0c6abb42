"""Which labels an issue gets and loses, and what is told of that."""

import pytest

from forge.errors import InvalidInput, PreconditionFailed
from forge.store.readings import NeverRead
from forge.testing.builders import a_change, a_desk, a_label, an_agent, an_issue
from forge.work.issues.edits import labelling
from forge.work.issues.issues import MAX_LABELS
from tests.workshop.outcomes import given_to, told, woken

OLD, NEW, KEPT = a_label("old"), a_label("new"), a_label("kept")
ALL = [OLD, NEW, KEPT]


def test_labels_are_added_and_removed_at_once() -> None:
    change = a_change(an_issue(label_ids={OLD.id, KEPT.id}), holding=ALL)

    assert labelling.relabel(change, add=[NEW.id], remove=[OLD.id]) == ([NEW.id], [OLD.id])

    assert change.issue.label_ids == {NEW.id, KEPT.id}
    assert told(change) == [("ISSUE_UPDATED", {"add": [NEW.id], "remove": [OLD.id]})]


def test_only_what_really_changes_is_told() -> None:
    change = a_change(an_issue(label_ids={KEPT.id}), holding=ALL)

    added, removed = labelling.relabel(change, add=[KEPT.id, NEW.id, NEW.id], remove=[OLD.id])

    assert (added, removed) == ([NEW.id], [])


@pytest.mark.parametrize(
    ("add", "remove"), [([], []), ([KEPT.id], []), ([], [OLD.id]), ([KEPT.id], [KEPT.id])]
)
def test_where_nothing_changes_nothing_is_told(add: list[str], remove: list[str]) -> None:
    change = a_change(an_issue(label_ids={KEPT.id}), holding=ALL)

    assert labelling.relabel(change, add=add, remove=remove) == ([], [])

    assert (change.issue, change.announced, change.is_changed) == (change.before, [], False)


def test_what_is_removed_and_added_is_there_afterwards() -> None:
    change = a_change(an_issue(), holding=ALL)

    assert labelling.relabel(change, add=[NEW.id], remove=[NEW.id]) == ([NEW.id], [])

    assert change.issue.label_ids == {NEW.id}


def test_a_deleted_label_is_let_go_of_when_others_change_and_not_told() -> None:
    change = a_change(an_issue(label_ids={OLD.id}), holding=[NEW], knowing_absent=[OLD.key])

    assert labelling.relabel(change, add=[NEW.id], remove=[]) == ([NEW.id], [])

    assert change.issue.label_ids == {NEW.id}


def test_a_deleted_label_alone_is_no_reason_to_write() -> None:
    change = a_change(an_issue(label_ids={OLD.id}), knowing_absent=[OLD.key])

    assert labelling.relabel(change, add=[], remove=[OLD.id]) == ([], [])

    assert not change.is_changed


def test_an_issue_has_a_number_of_labels_at_most_and_a_deleted_one_takes_no_place() -> None:
    many = [a_label(f"l{place}") for place in range(MAX_LABELS)]
    issue = an_issue(label_ids={label.id for label in many})
    full = a_change(issue, holding=[*many, NEW])
    exchanged = a_change(issue, holding=[*many, NEW])
    with_a_gap = a_change(issue, holding=[*many[1:], NEW], knowing_absent=[many[0].key])

    with pytest.raises(PreconditionFailed):
        labelling.relabel(full, add=[NEW.id], remove=[])
    labelling.relabel(exchanged, add=[NEW.id], remove=[many[0].id])
    labelling.relabel(with_a_gap, add=[NEW.id], remove=[])

    assert len(exchanged.issue.label_ids) == len(with_a_gap.issue.label_ids) == MAX_LABELS
    assert full.announced == []


def test_a_label_of_the_issue_that_was_not_read_is_not_taken_for_a_deleted_one() -> None:
    change = a_change(an_issue(label_ids={OLD.id}), holding=[NEW])

    with pytest.raises(NeverRead):
        labelling.relabel(change, add=[NEW.id], remove=[])


def test_labels_are_news_for_who_has_the_issue() -> None:
    agent = an_agent()
    change = a_change(given_to(an_issue(), agent), holding=[NEW, agent])

    labelling.relabel(change, add=[NEW.id], remove=[])

    assert woken(change) == [(agent.id, "ISSUE_UPDATED")]


def test_a_label_must_be_there() -> None:
    names = a_desk(an_issue(), holding=[NEW], knowing_absent=[OLD.key]).names

    labelling.require_labels(names, [NEW.id], field="add")
    with pytest.raises(InvalidInput) as refused:
        labelling.require_labels(names, [NEW.id, OLD.id], field="add")
    with pytest.raises(NeverRead):
        labelling.require_labels(names, [KEPT.id], field="add")

    assert set(refused.value.issues or ()) == {"add"}
