"""Findings that reviews repeat: alike ones are counted as one pattern."""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from enum import StrEnum

from forge.store.items import Item, Part
from forge.store.keys import At
from forge.work.pipelines.learning.packs import LEARNING
from forge.work.pipelines.learning.words import one_line, with_repository

MOST_PATTERNS = 200
ALIKE = 0.3
"""Two findings are one pattern below this share of letters in which they differ."""

_LONGEST = 300
_SEPARATORS = str.maketrans(dict.fromkeys(" \t\n,.:;!?\"'", " "))
_STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        """
        a an the is are was were be been being have has had do does did will would could should may might
        shall can of in on at by for with to from that this it its not no and or but if when where how what
        which who
        """,
    )
)

_KEYWORDS = {
    "import_order": ("import order", "import group", "import sort", "import cycle", "circular import"),
    "test_coverage": (
        *("test coverage", "unit test", "missing test", "untested", "edge case", "table-driven"),
        "coverage",
    ),
    "naming_convention": (
        *("naming convention", "inconsistent name", "variable name", "naming guide", "camelcase"),
        *("snake_case", "abbreviat", "naming"),
    ),
    "type_safety": (
        *("type assertion", "type cast", "type mismatch", "type safety", "interface{}", "unsafe"),
    ),
    "security": (
        *("security vulnerability", "security", "credential", "password", "injection", "sanitize"),
        *("sanitise", "xss", "authentication"),
    ),
    "performance": (
        *("performance", "inefficien", "benchmark", "memory", "cpu", "string concat", "allocat"),
    ),
    "documentation": (
        *("missing documentation", "godoc", "undocumented", "exported function", "exported type"),
        *("public api", "docstring", "documentation"),
    ),
    "error_handling": (
        *("error handling", "error return", "unchecked error", "ignore error", "missing error"),
        *("error check", "silent fail", "panic", "exception", "err ", "error"),
    ),
}
"""The first category with a word in the finding has it, so the vaguest stand last."""

OTHER = "other"


class FindingSeverity(StrEnum):
    CRITICAL = "CRITICAL"
    MINOR = "MINOR"


class Pattern(Part):
    pattern: str
    """As it was found first."""
    severity: FindingSeverity
    frequency: int = 1
    agent: str
    """The reviewer that found it first."""
    category: str
    first_seen: datetime
    last_seen: datetime
    repositories: list[str] = []


class LearnedFinding(Part):
    """What a reviewer found, as its verdict was read."""

    severity: FindingSeverity
    description: str


class PatternsItem(Item):
    """All patterns of a workspace: 200 lines of text at most, changed under one version."""

    stored = At(LEARNING, "PATTERNS")

    workspace_id: str
    patterns: list[Pattern] = []
    reviews: int = 0
    """How many reviews it was learned from."""
    updated_at: datetime


def normalised(text: str) -> str:
    """Only the words that say something, in lower case."""
    return " ".join(word for word in text.lower().translate(_SEPARATORS).split() if word not in _STOP_WORDS)


def category_of(text: str) -> str:
    """Of a finding that is normalised already."""
    return next(
        (name for name, keywords in _KEYWORDS.items() if any(keyword in text for keyword in keywords)), OTHER
    )


def learned(
    known: Sequence[Pattern],
    findings: Iterable[LearnedFinding],
    *,
    agent: str,
    now: datetime,
    repository: str | None = None,
) -> list[Pattern]:
    """The patterns after a review. What matters least is forgotten where there are too many."""
    patterns = list(known)
    texts = [normalised(pattern.pattern) for pattern in patterns]
    for finding in findings:
        text = normalised(finding.description)
        if not text:
            continue
        fresh = Pattern(
            pattern=one_line(finding.description, _LONGEST),
            severity=finding.severity,
            agent=agent,
            category=category_of(text),
            first_seen=now,
            last_seen=now,
            repositories=with_repository((), repository),
        )
        place = _alike(patterns, texts, fresh, text)
        if place is None:
            patterns.append(fresh)
            texts.append(text)
        else:
            patterns[place] = _seen_again(patterns[place], now, repository)
    return patterns if len(patterns) <= MOST_PATTERNS else by_weight(patterns)[:MOST_PATTERNS]


def by_weight(patterns: Iterable[Pattern]) -> list[Pattern]:
    """What is critical, frequent and recent first."""
    return sorted(
        patterns,
        key=lambda one: (
            one.severity is not FindingSeverity.CRITICAL,
            -one.frequency,
            -one.last_seen.timestamp(),
        ),
    )


def _alike(patterns: Sequence[Pattern], texts: Sequence[str], fresh: Pattern, text: str) -> int | None:
    """The first of the same category and severity that says nearly the same."""
    # Imported here: it costs a cold start 20 ms, and most calls are no reviews.
    from rapidfuzz.distance import Levenshtein

    kind = (fresh.category, fresh.severity)
    for place, (pattern, other) in enumerate(zip(patterns, texts, strict=True)):
        is_same_kind = (pattern.category, pattern.severity) == kind
        if is_same_kind and Levenshtein.normalized_distance(other, text) < ALIKE:
            return place
    return None


def _seen_again(pattern: Pattern, now: datetime, repository: str | None) -> Pattern:
    return pattern.model_copy(
        update={
            "frequency": pattern.frequency + 1,
            "first_seen": min(pattern.first_seen, now),
            "last_seen": max(pattern.last_seen, now),
            "repositories": with_repository(pattern.repositories, repository),
        }
    )
