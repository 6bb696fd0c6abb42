"""The phases of work on an issue, and which of them may follow which."""

from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from forge.store.items import Part


class Phase(StrEnum):
    SELECTION = "selection"
    RESEARCH = "research"
    BRANCH = "branch"
    IMPLEMENTATION = "implementation"
    TESTING = "testing"
    COMMIT = "commit"
    PR = "pr"
    REVIEW = "review"
    MERGED = "merged"
    ABANDONED = "abandoned"


class Refusal(StrEnum):
    INVALID = "INVALID_PHASE_TRANSITION"
    UNJUSTIFIED = "SKIP_JUSTIFICATION_REQUIRED"
    UNTESTED = "TESTS_REQUIRED"


ORDER = (
    Phase.SELECTION,
    Phase.RESEARCH,
    Phase.BRANCH,
    Phase.IMPLEMENTATION,
    Phase.TESTING,
    Phase.COMMIT,
    Phase.PR,
    Phase.REVIEW,
    Phase.MERGED,
)
_TERMINAL = frozenset({Phase.MERGED, Phase.ABANDONED})
_GATED = frozenset({Phase.COMMIT, Phase.PR})


class Transition(Part):
    from_phase: Phase
    to_phase: Phase
    at: datetime
    triggered_by: str


class Skip(Part):
    """A phase that was left out, or a test gate that was passed without tests, and why."""

    phase: Phase
    justification: str
    at: datetime
    session_id: str


class Advance(NamedTuple):
    """What is asked for: a phase, and what speaks for going there."""

    target: Phase
    tests_passed: bool | None = None
    justification: str | None = None

    @property
    def reason(self) -> str | None:
        return (self.justification or "").strip() or None


class Verdict(NamedTuple):
    refusal: Refusal | None
    skipped: tuple[Phase, ...] = ()
    """What the justification is for; the gate's own phase where no test has passed."""


def judge(current: Phase, wanted: Advance, *, known_tests: bool | None) -> Verdict:
    """Whether work may go on there: forwards, no phase left out without a reason, nothing untested."""
    if wanted.target is Phase.ABANDONED:
        return Verdict(Refusal.INVALID if current in _TERMINAL else None)
    if current in _TERMINAL or current not in ORDER or ORDER.index(wanted.target) <= ORDER.index(current):
        return Verdict(Refusal.INVALID)
    between = ORDER[ORDER.index(current) + 1 : ORDER.index(wanted.target)]
    if between and not wanted.reason:
        return Verdict(Refusal.UNJUSTIFIED)
    is_tested = known_tests is True if wanted.tests_passed is None else wanted.tests_passed
    is_gated = wanted.target in _GATED and not is_tested
    if is_gated and not wanted.reason:
        return Verdict(Refusal.UNTESTED)
    untested = (Phase.TESTING,) if is_gated and Phase.TESTING not in between else ()
    return Verdict(None, (*untested, *between))
