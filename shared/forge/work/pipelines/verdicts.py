"""What a review says: its verdict and its findings, read in one way wherever a review is looked at."""

import re
from typing import NamedTuple

from forge.work.pipelines import markdown
from forge.work.pipelines.markdown import MAX_CHARACTERS, Line
from forge.work.pipelines.phases import CODE_VERDICTS, DESIGN_VERDICTS

KNOWN = frozenset({*DESIGN_VERDICTS, *CODE_VERDICTS})
FAVOURABLE = frozenset({"APPROVE", "APPROVE_WITH_NOTES", "PASS", "PASS_WITH_NOTES"})
REVISE, FAIL = "REVISE", "FAIL"
SKIP = "SKIP"
"""Of a command that the caller goes on without."""

GRAVE = frozenset({"CRITICAL", "MAJOR"})

_SAID = re.compile(r"(?:(?:final|overall) )?verdict[*_`\s]*(?:[:：=]\s*(.*))?", re.IGNORECASE)
_WORD = re.compile(r"[A-Z]+(?:[_ -]WITH[_ -]NOTES)?(?![A-Za-z])")
_MARKS = "*_`\"'“”「」[]() \t"
_GRADE = "(CRITICAL|MAJOR|MINOR)"
_BOLD_FINDING = re.compile(rf"\*\*(?:\d+[.)] *)?(?:\[{_GRADE}\]:?|{_GRADE}:) *(.+?)\*\*")
_FINDING = re.compile(
    rf"[*_\s]*(?:\d+[.)] *)?[*_]*(?:\[{_GRADE}\][*_]*[:：]?|{_GRADE}[*_]*[:：][*_]*)\s*(.+)"
)


class Finding(NamedTuple):
    severity: str
    description: str


class Review(NamedTuple):
    """`verdict` is None where none can be read, and `problem` says why; then no finding counts either."""

    verdict: str | None
    findings: tuple[Finding, ...] = ()
    problem: str = ""


def read(text: str) -> Review:
    """Whatever form it has, a verdict is said once: who says two has said none. Code says nothing."""
    if len(text) > MAX_CHARACTERS:
        return Review(None, problem=f"It has more than {MAX_CHARACTERS:,} characters.")
    lines = [line for line in markdown.lines_of(text) if not line.is_code]
    said = [words for place, line in enumerate(lines) if (words := _words_of(lines, place, line))]
    verdicts = {word for words in said for word in words}
    if any(len(words) > 1 for words in said):
        return Review(None, problem="Several verdicts stand on one line.")
    if len(verdicts) > 1:
        return Review(None, problem=f"It says {' and '.join(sorted(verdicts))}.")
    if not verdicts:
        return Review(None, problem="It says none.")
    found = (_finding_in(line) for line in lines)
    return Review(verdicts.pop(), tuple(finding for finding in found if finding))


def _words_of(lines: list[Line], place: int, line: Line) -> set[str]:
    """The known verdicts that a line says; a bare heading or bold word is about the line that follows."""
    said = _SAID.fullmatch(line.text.strip(_MARKS))
    if said is None:
        return set()
    value = (said[1] or "").strip(_MARKS)
    if not value and place + 1 < len(lines):
        value = lines[place + 1].text.strip(_MARKS)
    if _known(_WORD.match(value)) is None:
        return set()
    return {word for match in _WORD.finditer(value) if (word := _known(match))}


def _known(match: re.Match[str] | None) -> str | None:
    word = re.sub("[ -]", "_", match[0]) if match else ""
    return word if word in KNOWN else None


def _finding_in(line: Line) -> Finding | None:
    """At most one of each line: in bold wherever it stands, else at the line's beginning."""
    found = _BOLD_FINDING.search(line.text) or _FINDING.fullmatch(line.text)
    return Finding(found[1] or found[2], found[3].strip("*_ ")) if found else None
