"""A draft can be posted as it is: whatever titles say, they mention nobody, link nowhere, format nothing."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge.testing.builders import an_issue
from functions.standup.rules import LONGEST_TITLE, Group, Groups, harmless, markdown, span

NONE = Group([], 0)
ACTED_ON = re.compile(
    r"[@<>*~`|\[\]\\\n\r\u2028\u202e]|://|\w\.[^\W\d_]{2}|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])"
)


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("Fix the login", "Fix the login"),
        ("Rename user_id to account_id in v1.2 (50% & more): why?", None),
        ("@everyone look", "＠everyone look"),
        ("<!channel> <@U123|bob> <https://evil.example|click>", None),
        ("[click](https://evil.example)", "［click］(https∶//evil․example)"),
        ("see evil.example", "see evil․example"),
        ("*bold* _italic_ ~gone~ `code` ||spoiler|| **very** __under__", None),
        ("two\nlines\r\n> quote\u2028# heading", "two lines › quote # heading"),
        ("turned \u202egnp.exe", "turned gnp․exe"),
        ("back\\slash", "back＼slash"),
    ],
)
def test_a_title_does_nothing_in_a_chat(title: str, shown: str | None) -> None:
    said = harmless(title)

    assert ACTED_ON.search(said) is None
    assert shown is None or said == shown


def test_what_no_chat_minds_stays_as_it_is() -> None:
    title = "Rename user_id to account_id in v1.2 (50% & more): why?"

    assert harmless(title) == title


@given(st.text(alphabet=st.sampled_from("ab1._@<>*~`|[]\\:/ \n\u202e\u2028é")) | st.text())
def test_no_title_does_anything_in_a_chat(title: str) -> None:
    said = harmless(title)

    assert ACTED_ON.search(said) is None
    assert len(said) <= LONGEST_TITLE


def test_a_long_title_is_cut() -> None:
    assert harmless("x" * 300) == "x" * (LONGEST_TITLE - 1) + "…"


@pytest.mark.parametrize(
    ("hours", "said"), [(24, "last 24h"), (72, "last 3 days"), (168, "last week"), (48, "last 48h")]
)
def test_a_span_is_said_as_people_say_it(hours: int, said: str) -> None:
    assert span(hours) == said


def test_sections_have_bullets_and_empty_ones_are_left_out() -> None:
    closed = Group([an_issue(number=1, title="Fix *it*")], 1)
    continuing = Group([an_issue(number=2, title="Go on"), an_issue(number=3, title="Here")], 5)

    said = markdown(Groups(closed, NONE, continuing, NONE, moved=9), prefix="DEMO", hours=24)

    assert said == (
        "*Standup — last 24h*\n\n"
        "*Closed (1)*\n• DEMO-1 — Fix ∗it∗\n\n"
        "*Continuing (5)*\n• DEMO-2 — Go on\n• DEMO-3 — Here\n_… and 3 more_"
    )


def test_nothing_at_all_is_said_in_one_line() -> None:
    nothing = Groups(NONE, NONE, NONE, NONE, moved=0)

    quiet = markdown(nothing, prefix="DEMO", hours=168)
    moved = markdown(nothing._replace(moved=3), prefix="DEMO", hours=168)

    assert quiet == "*Standup — last week*\n\n_No activity_"
    assert "_No activity_" not in moved
    assert "3 changes" in moved
