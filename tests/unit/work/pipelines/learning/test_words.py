"""Words by which pipelines are compared, in any script."""

from forge.work.pipelines.learning.packs import told_by
from forge.work.pipelines.learning.words import words


def test_words_are_runs_of_letters_and_digits_of_at_least_four_bytes() -> None:
    assert words("Fix the AUTH-timeout_in v2, issue 4242 (OAuth2)") == [
        "auth",
        "timeout",
        "issue",
        "4242",
        "oauth2",
    ]


def test_scripts_without_spaces_are_compared_by_two_characters_each() -> None:
    assert words("認証の修正。字 Äxte v2") == ["認証", "証の", "の修", "修正", "äxte"]
    assert set(words("ログインの修正")) & set(words("修正: ログイン")) == {"ログ", "グイ", "イン", "修正"}


def test_a_request_is_told_by_its_first_line_and_its_first_words() -> None:
    request = "---\nsource_type: text\n---\n\n# ログイン 修正\n\nログイン timeout timeout\n"

    assert told_by(request) == ("ログイン 修正", ("ログ", "グイ", "イン", "修正", "timeout"))


def test_what_stands_before_a_request_is_no_part_of_it_unless_it_never_ends() -> None:
    assert told_by("---\nhello: world\n\n")[0] == "---"
    assert told_by("") == ("", ())


def test_a_request_has_fifty_words_at_most_and_a_kilobyte_of_them() -> None:
    _, many = told_by(" ".join(f"word{number}" for number in range(90)))
    _, long = told_by(" ".join(f"{number:0300}" for number in range(20)))

    assert len(many) == 50
    assert len(long) == 3


def test_the_first_line_is_cut_where_it_is_long() -> None:
    line, _ = told_by("x" * 500)

    assert (len(line), line[-1]) == (200, "…")
