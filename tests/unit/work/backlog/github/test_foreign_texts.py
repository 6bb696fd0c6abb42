"""What strangers write is bounded, quoted line by line, and holds nothing that nobody can see."""

from forge.work.backlog.github import foreign_texts
from forge.work.backlog.github.foreign_texts import MAX_DESCRIPTION, as_description, in_one_line, quoted


def test_a_title_is_one_line_of_what_can_be_seen() -> None:
    assert in_one_line(" Login\r\n hangs\x00\x1b[31m \u202eagain\U000e0041 ", 100) == "Login hangs[31m again"
    assert in_one_line("x" * 400, 300) == "x" * 300


def test_no_line_of_a_text_can_pass_for_ours() -> None:
    text = "One\r\nTwo\rThree\u2028Four\x0bFive\n\n\tSix"

    assert quoted(text) == "> One\n> Two\n> Three\n> Four\n> Five\n>\n> \tSix"


def test_a_long_text_is_cut_and_says_so() -> None:
    found = as_description(url="u", repository="acme/app", author="a", body="ab\n" * MAX_DESCRIPTION)

    assert len(found) == MAX_DESCRIPTION
    assert found.endswith("…")


def test_a_text_that_says_nothing_is_not_quoted() -> None:
    found = as_description(url="u", repository="acme/app", author="a", body=" \n")

    assert ">" not in found
    assert "Repository: acme/app" in found


def test_scripts_and_faces_that_are_joined_stay_so() -> None:
    family, persian = "👩\u200d👩\u200d👧", "می\u200cخواهم"

    assert in_one_line(family + persian, 100) == family + persian
    assert foreign_texts.quoted(family) == f"> {family}"
