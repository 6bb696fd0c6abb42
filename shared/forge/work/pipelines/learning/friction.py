"""Friction: what agents stumbled over, as the reports at the end of pipelines tell."""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from forge.store.items import Item, Part
from forge.store.keys import At
from forge.work.pipelines.learning.packs import LEARNING
from forge.work.pipelines.learning.words import one_line, with_repository

MOST_POINTS = 200
REPORT = "## Improvement Report"
"""The heading of the report in a summary, where it is no file of its own."""

_LONGEST = 200
_HEADING = re.compile(r"#{1,6}\s")
_BULLET = re.compile(r"^(?:[-*+]|\d+[.)])\s+")
_MITIGATION = re.compile(r"^\**mitigation:?\**:?\s*", re.IGNORECASE)

_KEYWORDS = {
    "import_order": ("import order", "import group", "import sort", "import cycle", "circular import"),
    "test_coverage": (
        *("test case", "test coverage", "coverage", "happy path", "untested", "unit test", "edge case"),
        *("missing test", "fixture"),
    ),
    "naming_convention": ("naming", "name", "abbreviat", "camelcase", "snake_case"),
    "type_safety": (
        *("type assertion", "type cast", "type safety", "type mismatch", "any type", "reflection", "unsafe"),
    ),
    "security": (
        *("security", "secret", "credential", "password", "token", "auth", "injection", "sanitize", "xss"),
    ),
    "performance": (
        *("performance", "slow", "o(n", "profile", "loop", "memory", "cpu", "allocat", "benchmark"),
    ),
    "documentation": ("document", "comment", "readme", "docstring", "godoc"),
    "error_handling": ("error", "err ", "exception", "panic", "fail", "unchecked"),
}
"""Looser than those of findings, because reports are prose; tried in this order."""


class FrictionPoint(Part):
    category: str
    description: str
    frequency: int = 1
    mitigation: str = ""
    last_seen: datetime
    repositories: list[str] = []


class FrictionItem(Item):
    """All friction points of a workspace, changed under one version."""

    stored = At(LEARNING, "FRICTION")

    workspace_id: str
    points: list[FrictionPoint] = []
    reports: int = 0
    """How many reports they were learned from."""
    updated_at: datetime


class FrictionReported(NamedTuple):
    category: str
    description: str
    mitigation: str = ""


def report_of(improvement: str | None, summary: str | None) -> str:
    """The report itself: a file of its own, or a section of the summary."""
    if improvement and improvement.strip():
        return improvement
    _, _, after = f"\n{summary or ''}".partition(f"\n{REPORT}")
    return re.split(r"\n##? ", after, maxsplit=1)[0]


def reported(report: str) -> list[FrictionReported]:
    """Each line that speaks of one of the categories.

    A mitigation that is indented under a point belongs to it; one that stands by itself belongs to all that
    follow, up to the next heading.
    """
    points: list[FrictionReported] = []
    of_section, is_below_point = "", False
    for line in report.splitlines():
        text = _BULLET.sub("", line.strip())
        if not text or _HEADING.match(text):
            of_section, is_below_point = ("" if text else of_section), False
        elif _MITIGATION.match(text):
            told = one_line(_MITIGATION.sub("", text), _LONGEST)
            if is_below_point and line[0].isspace():
                points[-1] = points[-1]._replace(mitigation=told)
            else:
                of_section = told
        else:
            category = _category_of(text)
            is_below_point = category is not None
            if category:
                points.append(FrictionReported(category, one_line(text, _LONGEST), of_section))
    return points


def learned(
    known: Sequence[FrictionPoint],
    points: Iterable[FrictionReported],
    *,
    now: datetime,
    repository: str | None = None,
) -> list[FrictionPoint]:
    """The points after a report; the rarest and oldest are forgotten where there are too many."""
    found = {(point.category, point.description): point for point in known}
    for point in points:
        place = (point.category, point.description)
        before = found.get(place)
        found[place] = FrictionPoint(
            category=point.category,
            description=point.description,
            frequency=before.frequency + 1 if before else 1,
            mitigation=point.mitigation or (before.mitigation if before else ""),
            last_seen=max(now, before.last_seen) if before else now,
            repositories=with_repository(before.repositories if before else (), repository),
        )
    points_now = list(found.values())
    return points_now if len(points_now) <= MOST_POINTS else by_weight(points_now)[:MOST_POINTS]


def by_weight(points: Iterable[FrictionPoint]) -> list[FrictionPoint]:
    """What is frequent and recent first."""
    return sorted(points, key=lambda one: (-one.frequency, -one.last_seen.timestamp()))


def _category_of(text: str) -> str | None:
    spoken = f"{text.lower()} "
    return next(_categories_in(spoken), None)


def _categories_in(spoken: str) -> Iterator[str]:
    for category, keywords in _KEYWORDS.items():
        if any(keyword in spoken for keyword in keywords):
            yield category
