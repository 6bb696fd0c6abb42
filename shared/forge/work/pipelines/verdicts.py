"""What a review says: its verdict and its findings, read in one way wherever a review is looked at."""

import re
from typing import NamedTuple

from forge.work.pipelines.phases import CODE_VERDICTS, DESIGN_VERDICTS

KNOWN = frozenset({*DESIGN_VERDICTS, *CODE_VERDICTS})
FAVOURABLE = frozenset({"APPROVE", "APPROVE_WITH_NOTES", "PASS", "PASS_WITH_NOTES"})
REVISE, FAIL = "REVISE", "FAIL"
SKIP = "SKIP"
"""Of a command that the caller goes on without."""

_HEADING = re.compile(r"#{1,2}\s+Verdict:\s+(\S+)")
_INLINE = re.compile(r"Verdict:\s+(\S+)")
_FINDING = re.compile(r"\*\*(?:\d+\. )?\[(CRITICAL|MINOR)\] (.+?)\*\*")


class Finding(NamedTuple):
    severity: str
    description: str


class Review(NamedTuple):
    """`verdict` is None where none can be read; then its findings count for nothing either."""

    verdict: str | None
    findings: tuple[Finding, ...] = ()


def read(text: str) -> Review:
    """A heading counts before a plain line, wherever it stands; words that are no verdict are passed over."""
    lines = text.splitlines()
    verdict = _first(_HEADING, lines) or _first(_INLINE, lines)
    if verdict is None:
        return Review(None)
    found = (_FINDING.search(line) for line in lines)
    return Review(verdict, tuple(Finding(match[1], match[2].strip()) for match in found if match))


def _first(form: re.Pattern[str], lines: list[str]) -> str | None:
    tokens = (match[1] for line in lines if (match := form.match(line)))
    return next((token for token in tokens if token in KNOWN), None)
