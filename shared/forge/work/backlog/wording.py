"""What the backlog writes for people: the text of an issue, a branch's name, a pull request's words."""

import re
from collections.abc import Sequence
from typing import NamedTuple
from unicodedata import normalize

MAX_SLUG = 50
_COMMIT_TYPES = {"feature": "feat", "bug": "fix", "chore": "chore", "docs": "docs"}
_DROPPED = re.compile(r"[^a-z0-9\s-]")
_GAPS = re.compile(r"[\s-]+")


class PullRequestWords(NamedTuple):
    title: str
    body: str


def body(
    *,
    title: str,
    given: str | None = None,
    context: str | None = None,
    criteria: Sequence[str] = (),
    notes: str | None = None,
) -> str:
    """What was given, word for word; else the usual sections, as far as there is something for them."""
    if given:
        return given
    sections = [("Summary", title), ("Context", context), ("Technical Notes", notes)]
    if criteria:
        sections.insert(2, ("Acceptance Criteria", "\n".join(f"- [ ] {one}" for one in criteria)))
    return "\n\n".join(f"## {heading}\n{text}" for heading, text in sections if text)


def branch_name(number: int, title: str) -> str:
    """`42-login-hangs`: letters lose their marks, and what is no ASCII letter or digit is left out."""
    plain = normalize("NFKD", title).lower()
    slug = _GAPS.sub("-", _DROPPED.sub("", plain)).strip("-")[:MAX_SLUG].strip("-")
    return f"{number}-{slug or 'issue'}"


def pull_request(
    *,
    number: int,
    title: str,
    type_name: str | None,
    given_title: str | None,
    given_body: str | None,
    evidence: str,
) -> PullRequestWords:
    """Title and body of a pull request; the issue's number is added where the given ones lack it."""
    mention = f"#{number}"
    heading = given_title or f"{_COMMIT_TYPES.get(type_name or '', 'chore')}: {title} ({mention})"
    if not _names(heading, number):
        heading = f"{heading} ({mention})"
    text = given_body or "\n\n".join(
        [f"## Summary\n{title}", f"## Test Evidence\n{evidence}", f"## Issue Reference\nCloses {mention}"]
    )
    if not _names(text, number):
        text = f"{text}\n\nCloses {mention}"
    return PullRequestWords(heading, text)


def evidence_of(*, tests_passed: bool | None, justification: str | None) -> str:
    if tests_passed:
        return "The tests passed."
    return f"The tests were skipped: {justification}" if justification else "No test was reported."


def _names(text: str, number: int) -> bool:
    """Not `#42` of `#421`."""
    return re.search(rf"#{number}(?!\d)", text) is not None
