"""Names are of what was read: what is gone has none, and what was not read is no name of nobody."""

from collections.abc import Callable

import pytest

from forge.context import Role
from forge.store.readings import NeverRead
from forge.testing.builders import WORKSPACE_ID, a_desk, a_label, a_project, an_agent, an_issue
from forge.testing.clock import NOON
from forge.work.workspace.people.members import MemberItem
from forge.work.workspace.people.names import Names, how_many_fit, keys_of, people_of

ADA = MemberItem(
    workspace_id=WORKSPACE_ID, user_id="usr_ada", email="ada@demo.example", role=Role.MEMBER, created_at=NOON
)
ASKS: list[Callable[[Names], object]] = [
    lambda names: names.project("prj_1"),
    lambda names: names.agent("agt_worker"),
    lambda names: names.label("lbl_bug"),
    lambda names: names.member("usr_ada"),
]
NAMED = [a_project(), an_agent(), a_label(), ADA]


@pytest.mark.parametrize(("ask", "named"), [*zip(ASKS, NAMED, strict=True)])
def test_whatever_was_read_has_its_name(ask: Callable[[Names], object], named: object) -> None:
    assert ask(a_desk(an_issue(), holding=NAMED).names) == named


@pytest.mark.parametrize("ask", ASKS)
def test_what_is_gone_has_no_name_and_what_was_not_read_raises(ask: Callable[[Names], object]) -> None:
    gone = a_desk(an_issue(), knowing_absent=[one.key for one in NAMED])

    assert ask(gone.names) is None
    with pytest.raises(NeverRead):
        ask(a_desk(an_issue()).names)


def test_nobody_has_no_name_and_nothing_is_read_for_that() -> None:
    names = a_desk(an_issue()).names

    assert (names.project(None), names.agent(None), names.member(None)) == (None, None, None)
    assert names.identifier(12) == "DEMO-12"


def test_an_issue_is_shown_with_the_names_of_all_that_it_refers_to() -> None:
    issue = an_issue(
        project_id="prj_1",
        assigned_agent_id="agt_worker",
        label_ids={"lbl_bug"},
        author_id="usr_ada",
        assignee_ids={"usr_ada"},
    )

    assert set(keys_of(issue)) == {a_project().key, an_agent().key, a_label().key}
    assert people_of(issue) == [ADA.key]
    assert (keys_of(an_issue()), people_of(an_issue())) == ([], [])


@pytest.mark.parametrize(
    ("wanted", "most", "fit"),
    [
        ([], 2, 0),
        (["a", "b"], 2, 2),
        (["ab", "ab", "c"], 2, 2),
        (["ab", "bc"], 2, 1),
        (["abc", "a"], 2, 1),
    ],
)
def test_as_many_rows_as_can_be_named_in_one_request_are_shown_but_at_least_one(
    wanted: list[str], most: int, fit: int
) -> None:
    assert how_many_fit(wanted, most=most) == fit
