"""Findings that are alike are one pattern."""

from datetime import timedelta
from hashlib import sha256

import pytest

from forge.testing.clock import NOON
from forge.work.pipelines.learning.patterns import (
    MOST_PATTERNS,
    FindingSeverity,
    LearnedFinding,
    Pattern,
    by_weight,
    category_of,
    learned,
    normalised,
)


def a_finding(text: str, severity: FindingSeverity = FindingSeverity.CRITICAL) -> LearnedFinding:
    return LearnedFinding(severity=severity, description=text)


def after(*findings: LearnedFinding, known: list[Pattern] | None = None, days: int = 0) -> list[Pattern]:
    return learned(known or [], findings, agent="design-reviewer", now=NOON + timedelta(days=days))


def test_only_words_that_say_something_are_compared() -> None:
    assert normalised("The error, is NOT handled: 'why'?") == "error handled why"


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("Import order differs", "import_order"),
        ("No unit test for the retry", "test_coverage"),
        ("Naming is inconsistent", "naming_convention"),
        ("Type cast without a check", "type_safety"),
        ("SQL injection through the name", "security"),
        ("Memory grows with each call", "performance"),
        ("Missing docstring", "documentation"),
        ("The error is swallowed", "error_handling"),
        ("Something else", "other"),
        ("Untested error path", "test_coverage"),
    ],
)
def test_the_first_category_with_a_word_in_a_finding_has_it(text: str, category: str) -> None:
    assert category_of(normalised(text)) == category


def test_nearly_the_same_finding_is_counted_and_not_kept_twice() -> None:
    first = after(a_finding("Missing error handling for the retry"))

    (pattern,) = after(a_finding("Missing error handling for retries"), known=first, days=2)

    assert (pattern.frequency, pattern.pattern) == (2, "Missing error handling for the retry")
    assert (pattern.first_seen, pattern.last_seen) == (NOON, NOON + timedelta(days=2))


def test_the_limit_of_being_alike_is_not_alike_any_more() -> None:
    """Ten letters of which three differ: a distance of exactly 0.3."""
    ten = after(a_finding("abcdefghij"))

    assert len(after(a_finding("abcdefgxyz"), known=ten)) == 2
    assert len(after(a_finding("abcdefghyz"), known=ten)) == 1


def test_a_difference_is_counted_in_characters_of_any_script() -> None:
    known = after(a_finding("認証エラーの処理がありません"))

    assert len(after(a_finding("認証エラーの処理がないです"), known=known)) == 2
    assert len(after(a_finding("認証エラーの処理がありません。"), known=known)) == 1


def test_findings_of_another_severity_or_category_stay_apart() -> None:
    known = after(a_finding("Missing error check"))

    assert len(after(a_finding("Missing error check", FindingSeverity.MINOR), known=known)) == 2
    assert len(after(a_finding("Missing unit test ck"), known=known)) == 2


def test_a_finding_without_words_is_none() -> None:
    assert after(a_finding("The, a. No?"), a_finding("  ")) == []


def test_a_finding_is_one_line_of_bounded_length() -> None:
    (pattern,) = after(a_finding("one\n\n## two " + "x" * 900))

    assert "\n" not in pattern.pattern
    assert len(pattern.pattern) == 300


def test_what_matters_least_is_forgotten_where_there_are_too_many() -> None:
    distinct = [sha256(bytes([number])).hexdigest() for number in range(MOST_PATTERNS)]
    known = after(*(a_finding(text, FindingSeverity.MINOR) for text in distinct))
    assert len(known) == MOST_PATTERNS
    known[7] = known[7].model_copy(update={"frequency": 3})

    newer = after(a_finding("Secrets are in the log"), known=known, days=1)

    assert len(newer) == MOST_PATTERNS
    assert [one.frequency for one in newer[:2]] == [1, 3]
    assert newer[0].severity is FindingSeverity.CRITICAL


def test_weight_is_severity_then_frequency_then_recency() -> None:
    def pattern(text: str, severity: FindingSeverity, frequency: int, day: int) -> Pattern:
        (fresh,) = after(a_finding(text, severity), days=day)
        return fresh.model_copy(update={"frequency": frequency})

    ordered = by_weight(
        [
            pattern("minor, often", FindingSeverity.MINOR, 9, 9),
            pattern("old", FindingSeverity.CRITICAL, 2, 1),
            pattern("recent", FindingSeverity.CRITICAL, 2, 2),
            pattern("often", FindingSeverity.CRITICAL, 5, 0),
        ]
    )

    assert [one.pattern for one in ordered] == ["often", "recent", "old", "minor, often"]
