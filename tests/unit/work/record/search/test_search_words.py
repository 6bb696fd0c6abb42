"""Words: what a text is found by, in every script, and the same for a query."""

import pytest

from forge.work.record.search.words import (
    MAX_TEXT_BYTES,
    MAX_TEXT_TERMS,
    MAX_TITLE_TERMS,
    MAX_WORD,
    distinct_words,
    first_title_terms,
    places_of,
    words,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \n\t", []),
        ("?!… --- ###", []),
        ("Fix Login", ["fix", "login"]),
        ("  Fix,login;now.  ", ["fix", "login", "now"]),
        ("DEMO-12", ["demo", "12"]),
        ("foo_bar", ["foo", "bar"]),
        ("issue12", ["issue12"]),
        ("don't", ["don", "t"]),
        ("C++ and C#", ["c", "and", "c"]),
        ("v1.2.3", ["v1", "2", "3"]),
        ("a@b.example/path?x=1", ["a", "b", "example", "path", "x", "1"]),
        ("the and of", ["the", "and", "of"]),
    ],
)
def test_words_are_letters_and_digits_between_anything_else(text: str, expected: list[str]) -> None:
    assert list(words(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("STRASSE Straße", ["strasse", "strasse"]),
        ("ﬁx", ["fix"]),
        ("Ｆｕｌｌ１２", ["full12"]),
        ("①②", ["12"]),
        ("x²", ["x2"]),
        ("cafe\u0301 café", ["café", "café"]),
        ("ΣΊΣΥΦΟΣ σίσυφος", ["σίσυφοσ", "σίσυφοσ"]),
        ("Привет", ["привет"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("q\u0303x", ["q\u0303x"]),
    ],
)
def test_spellings_of_the_same_word_are_one(text: str, expected: list[str]) -> None:
    assert list(words(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("検索", ["検索"]),
        ("検索結果", ["検索", "索結", "結果"]),
        ("検", ["検"]),
        ("検 索", ["検", "索"]),
        ("カタカナー", ["カタ", "タカ", "カナ", "ナー"]),
        ("ｶﾞｷﾞｸﾞ", ["ガギ", "ギグ"]),
        ("ひらがな", ["ひら", "らが", "がな"]),
        ("コード・レビュー", ["コー", "ード", "レビ", "ビュ", "ュー"]),
        ("한국어 검색", ["한국", "국어", "검색"]),
        ("한국", ["한국"]),
        ("人々", ["人々"]),
        ("𠮷野家", ["𠮷野", "野家"]),
        ("葛\U000e0100城", ["葛城"]),
        ("Python版を2つ", ["python", "版を", "2", "つ"]),
        ("修复bug。", ["修复", "bug"]),
    ],
)
def test_scripts_without_spaces_are_found_by_every_two_neighbours(text: str, expected: list[str]) -> None:
    assert list(words(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("🚀", []),
        ("ship 🚀 it", ["ship", "it"]),
        ("ship🚀it", ["ship", "it"]),
        ("❤️ 👩‍💻 🇩🇪", []),
        ("1️⃣", ["1"]),
        ("\u0301", []),
        ("\u3099", []),
        ("\ud800broken", ["broken"]),
        ("nul\x00byte", ["nul", "byte"]),
    ],
)
def test_emoji_and_broken_text_are_no_words(text: str, expected: list[str]) -> None:
    assert list(words(text)) == expected


def test_a_long_word_is_cut_alike_wherever_it_stands() -> None:
    assert list(words("x" * (MAX_WORD + 60))) == list(words("X" * (MAX_WORD + 1))) == ["x" * MAX_WORD]


def test_a_word_counts_once_and_stands_where_it_came_first() -> None:
    assert distinct_words("log Error LOG error line") == ["log", "error", "line"]


def test_as_many_words_of_a_title_as_fit_are_its_first() -> None:
    title = " ".join(f"w{number}" for number in range(30))

    assert first_title_terms(f"w0 {title}") == [f"w{number}" for number in range(MAX_TITLE_TERMS)]


def test_a_title_is_found_by_all_its_words_and_their_beginnings() -> None:
    assert places_of("Fix authorization", "") == {
        "fix": {"title"},
        "authorization": {"title"},
        "aut": {"prefix"},
        "author": {"prefix"},
        "authorizat": {"prefix"},
    }


def test_words_of_a_title_beyond_the_first_are_found_too() -> None:
    title = " ".join(f"w{number}" for number in range(30))

    assert places_of(title, "") == {f"w{number}": {"title"} for number in range(30)}


def test_a_word_of_the_title_need_not_be_found_in_the_description() -> None:
    places = places_of("log login", "a log")

    assert places["log"] == {"title", "prefix"}
    assert places["login"] == {"title"}


def test_a_description_has_no_beginnings_of_words() -> None:
    assert places_of("", "authorization") == {"authorization": {"text"}}


def test_a_long_description_is_found_by_its_first_distinct_words() -> None:
    description = " ".join(f"w{number} twice" for number in range(300))

    places = places_of("", description)

    assert places.keys() == {"twice", *(f"w{number}" for number in range(MAX_TEXT_TERMS - 1))}


@pytest.mark.parametrize("filler", ["-", "…", "🚀"])
def test_a_description_ends_for_the_index_after_so_many_bytes(filler: str) -> None:
    padding = filler * (MAX_TEXT_BYTES // len(filler.encode()))

    assert places_of("", f"near {padding} far").keys() == {"near"}


def test_the_last_byte_that_counts_is_still_found() -> None:
    assert places_of("", f"{'-' * (MAX_TEXT_BYTES - 2)}xx y").keys() == {"xx"}


def test_a_description_is_not_cut_inside_a_character() -> None:
    assert places_of("", f"{'-' * (MAX_TEXT_BYTES - 4)}検索").keys() == {"検"}
