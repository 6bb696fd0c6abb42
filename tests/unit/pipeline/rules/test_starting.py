"""How much effort a request takes, what it is called, and what people say for it in any language."""

import pytest

from forge.errors import InvalidInput
from forge.work.pipelines.branches import retyped, type_of
from functions.pipeline.rules.starting import External, effort_of, effort_said, lacks_a_name


@pytest.mark.parametrize(
    ("text", "effort"),
    [
        ("Fix a typo", "S"),
        ("Rename the labels", "S"),
        ("Renamed fields are shown", "S"),
        ("Build our flagship page", "M"),
        ("Message queues", "S"),
        ("A migration of sessions", "L"),
        ("ログイン画面の誤字を直す", "S"),
        ("セッションの移行", "L"),
        ("認証のアーキテクチャ", "L"),
        ("ログインを速くする", "M"),
        ("Tippfehler beheben", "S"),
    ],
)
def test_effort_follows_from_whole_words_in_any_language(text: str, effort: str) -> None:
    assert effort_of(External(), text, None) == effort


@pytest.mark.parametrize(
    ("said", "effort", "words"),
    [
        ("M", "M", ""),
        (" l ", "L", ""),
        ("S, but keep the API", "S", "but keep the API"),
        ("M：急ぎ", "M", "急ぎ"),
    ],
)
def test_what_people_say_with_the_effort_is_kept(said: str, effort: str, words: str) -> None:
    assert effort_said("effort", said) == (effort, words)


@pytest.mark.parametrize("said", ["XL", "medium", "SM", "1"])
def test_what_is_no_effort_is_refused(said: str) -> None:
    with pytest.raises(InvalidInput):
        effort_said("effort", said)


def test_a_branch_gets_another_type_only_for_a_word_that_says_so() -> None:
    assert retyped("fix/login", "We add a middleware.") == "fix/login"
    assert retyped("feature/login", "A bug in the cache") == "fix/login"
    assert type_of("ログインの不具合") == "fix"


@pytest.mark.parametrize(
    ("name", "title", "lacks"),
    [
        ("20260401-task", "", True),
        ("20260401-fix-login", "", False),
        ("20260401-x", "ログインを直す", True),
        ("20260401-x", "Fix ログイン", False),
    ],
)
def test_a_text_that_gives_no_name_needs_one(name: str, title: str, *, lacks: bool) -> None:
    assert lacks_a_name(name, External(title=title), None) == lacks
