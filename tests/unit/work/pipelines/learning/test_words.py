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


def test_two_ideographs_are_a_word_and_one_is_none() -> None:
    assert words("認証のタイムアウト、修正。字 Äxte") == ["認証のタイムアウト", "修正", "äxte"]


def test_a_request_is_told_by_its_first_line_and_its_first_words() -> None:
    request = "---\nsource_type: text\n---\n\n# ログイン 修正\n\nログイン timeout timeout\n"

    assert told_by(request) == ("ログイン 修正", ("ログイン", "修正", "timeout"))


def test_what_stands_before_a_request_is_no_part_of_it_unless_it_never_ends() -> None:
    assert told_by("---\nhello: world\n\n")[0] == "---"
    assert told_by("") == ("", ())


def test_a_request_has_fifty_words_at_most_and_a_kilobyte_of_them() -> None:
    _, many = told_by(" ".join(f"word{number}" for number in range(90)))
    _, long = told_by(" ".join(chr(0x4E00 + number) * 100 for number in range(20)))

    assert len(many) == 50
    assert len(long) == 3


def test_the_first_line_is_cut_where_it_is_long() -> None:
    line, _ = told_by("x" * 500)

    assert (len(line), line[-1]) == (200, "…")
