"""The page on which people say yes: what was chosen stays chosen, and nothing on it leads nowhere."""

import json

import pytest

from tests.unit.oauth.desk import Desk
from tests.unit.oauth.programs import Program
from tests.unit.oauth.refused import nobody_was_sent
from tests.workshop.browser import Page


def chosen(page: Page, name: str) -> set[str]:
    fields = [one for one in page.forms[0].fields if one.name == name]
    return {one.value for one in fields if one.is_chosen or one.kind not in ("checkbox", "option")}


def test_a_slip_costs_none_of_what_was_chosen(desk: Desk) -> None:
    """Else whoever forgot a name says yes to more than they ticked, with the next click."""
    made = [
        json.loads(desk.world.rest("projects.create", {"name": n, "key": n}, key=desk.owner_key).body)["id"]
        for n in ("ONE", "TWO")
    ]
    desk.sign_in()
    page = Program(desk).question()
    answer = {"as": "new", "agent_name": "", "days": "1", "scope": "READ_ISSUES", "project": made[0]}

    again = desk.browser.submit(page, {"answer": "yes", **answer})

    assert again.status == 400
    assert chosen(again, "scope") == {"READ_ISSUES"}
    assert chosen(again, "project") == {made[0]}
    assert chosen(again, "days") == {"1"}
    assert chosen(again, "as") == {"new"}
    assert "code" in desk.browser.submit(again, {"answer": "yes", "agent_name": "Helper"}).query


@pytest.mark.parametrize(
    "slip",
    [
        {"scope": []},
        {"days": "9999"},
        {"days": "x"},
        {"days": None},
        {"answer": "perhaps"},
        {"answer": None},
        {"as": "new", "agent_name": "x" * 61},
    ],
)
def test_what_is_no_whole_answer_gives_nothing_and_leaves_the_question_open(
    desk: Desk, slip: dict[str, str | list[str] | None]
) -> None:
    desk.sign_in()
    page = Program(desk).question()

    assert nobody_was_sent(desk.browser.submit(page, {"answer": "yes", **slip}))

    assert "code" in desk.browser.submit(page, {"answer": "yes"}).query


def test_who_is_confined_by_labels_is_offered_no_project(desk: Desk) -> None:
    desk.world.rest("projects.create", {"name": "One", "key": "ONE"}, key=desk.owner_key)
    label = json.loads(desk.world.rest("labels.create", {"name": "ui"}, key=desk.owner_key).body)
    made = desk.admin("keys.create", name="n", scopes=["READ_ISSUES"], labelIds=[label["id"]])
    desk.sign_in(made["rawKey"])

    page = Program(desk).question(scope="READ_ISSUES")

    assert chosen(page, "project") == set()
    assert 'name="project"' not in page.text
    assert "code" in desk.browser.submit(page, {"answer": "yes"}).query


def test_where_an_answer_goes_that_a_program_takes_is_said_in_words(desk: Desk) -> None:
    desk.sign_in()

    page = Program(desk, redirect_uris=["cursor://anysphere.cursor-mcp/oauth/callback"]).question()

    assert "whichever program opens <strong>cursor:</strong> addresses" in page.text
    assert "form-action 'self' cursor:" in page.headers["content-security-policy"]


@pytest.mark.parametrize(
    ("uri", "is_warned"),
    [
        ("http://localhost/callback", True),
        ("https://localhost/callback", True),
        ("https://127.0.0.1:8443/callback", True),
        ("cursor://anysphere.cursor-mcp/oauth/callback", True),
        ("https://localhost.example/callback", False),
    ],
)
def test_who_answers_to_a_program_in_front_of_them_is_warned(desk: Desk, uri: str, is_warned: bool) -> None:
    desk.sign_in()

    page = Program(desk, redirect_uris=[uri]).question()

    assert ("any program there could" in page.text) is is_warned


def test_somebody_else_signs_in_and_is_asked_the_same(desk: Desk) -> None:
    second = desk.admin("members.add", email=f"two@{desk.workspace.slug}.example", name="Two")
    key = desk.admin("keys.create", name="two", userId=second["id"], scopes=["READ_ISSUES"])["rawKey"]
    desk.sign_in()
    page = Program(desk).question()

    page = desk.browser.submit(page, form=1)
    assert "A key of yours" in page.text
    page = desk.browser.submit(page, {"key": key})

    assert "Claude Code (forge)" in page.text
    assert "<strong>Two</strong>" in page.text
