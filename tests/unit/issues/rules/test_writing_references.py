"""What the project and the parent of an issue may be."""

import pytest

from forge.errors import Conflict, InvalidInput, PreconditionFailed
from forge.testing.builders import a_project, an_issue
from functions.issues.rules import writing


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
    with pytest.raises(InvalidInput) as refused:
        writing.require_parent(issue, issue)
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
