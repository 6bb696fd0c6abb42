"""What is typed to begin a pipeline: the request, and flags around it and in it."""

import pytest

from functions.pipeline.rules.arguments import Unusable, parse, without_url


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


@pytest.mark.parametrize(
    ("typed", "url"),
    [
        ("http://github.com/o/r/issues/4", "https://github.com/o/r/issues/4"),
        ("www.github.com/o/r/issues/4#issuecomment-1", "https://github.com/o/r/issues/4"),
        ("github.com/o/r/issues/4 and more", "https://github.com/o/r/issues/4"),
        ("site.atlassian.net/browse/soa-12", "https://site.atlassian.net/browse/SOA-12"),
        ("https://linear.app/team/issue/eng-7/a-slug", "https://linear.app/team/issue/ENG-7"),
    ],
)
def test_an_issue_is_known_by_its_url_however_it_is_typed(typed: str, url: str) -> None:
    source = parse(typed).source

    assert (source.url, source.id) == (url, url.rpartition("/")[2])


@pytest.mark.parametrize("typed", ["www.example.com/x", "https://github.com/o/r", "linear.app/team"])
def test_a_url_that_is_no_issue_is_no_request(typed: str) -> None:
    with pytest.raises(Unusable, match="expected https://"):
        parse(typed)


def test_words_after_a_url_are_kept() -> None:
    assert without_url("https://github.com/o/r/issues/4  and\nmore") == "and\nmore"
    assert without_url("Add a page") == "Add a page"
