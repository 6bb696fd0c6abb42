"""What is typed to begin a pipeline: the request, and flags around it and in it."""

import pytest

from functions.pipeline.rules.arguments import parse


@pytest.mark.parametrize(
    ("typed", "core_text"),
    [
        ("--auto fix the login --nopr", "fix the login"),
        ("fix --auto --nopr the login", "fix the login"),
        ("fix\n--auto\n  the login --debug\n  and  more", "fix\n\n  the login\n  and  more"),
    ],
)
def test_flags_leave_no_hole_and_all_else_stays_as_it_was_typed(typed: str, core_text: str) -> None:
    assert parse(typed).core_text == core_text
