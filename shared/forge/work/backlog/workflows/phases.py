"""The phases of work on an issue, and which of them may follow which."""

from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from forge.store.items import Part


class WorkPhase(StrEnum):
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
    WorkPhase.SELECTION,
    WorkPhase.RESEARCH,
    WorkPhase.BRANCH,
    WorkPhase.IMPLEMENTATION,
    WorkPhase.TESTING,
    WorkPhase.COMMIT,
    WorkPhase.PR,
    WorkPhase.REVIEW,
    WorkPhase.MERGED,
)
_TERMINAL = frozenset({WorkPhase.MERGED, WorkPhase.ABANDONED})
_GATED = frozenset({WorkPhase.COMMIT, WorkPhase.PR})


class Transition(Part):
    from_phase: WorkPhase
    to_phase: WorkPhase
    at: datetime
    triggered_by: str


class Skip(Part):
    """A phase that was left out, or a test gate that was passed without tests, and why."""

    phase: WorkPhase
    justification: str
    at: datetime
    session_id: str


class Advance(NamedTuple):
    """What is asked for: a phase, and what speaks for going there."""

    target: WorkPhase
    tests_passed: bool | None = None
    justification: str | None = None

    @property
    def reason(self) -> str | None:
        return (self.justification or "").strip() or None


class PhaseVerdict(NamedTuple):
    refusal: Refusal | None
    skipped: tuple[WorkPhase, ...] = ()
    """What the justification is for; the gate's own phase where no test has passed."""


def judge(current: WorkPhase, wanted: Advance, *, known_tests: bool | None) -> PhaseVerdict:
    """Whether work may go on there: forwards, no phase left out without a reason, nothing untested."""
    if wanted.target is WorkPhase.ABANDONED:
        return PhaseVerdict(Refusal.INVALID if current in _TERMINAL else None)
    if current in _TERMINAL or current not in ORDER or ORDER.index(wanted.target) <= ORDER.index(current):
        return PhaseVerdict(Refusal.INVALID)
    between = ORDER[ORDER.index(current) + 1 : ORDER.index(wanted.target)]
    if between and not wanted.reason:
        return PhaseVerdict(Refusal.UNJUSTIFIED)
    is_tested = known_tests is True if wanted.tests_passed is None else wanted.tests_passed
    is_gated = wanted.target in _GATED and not is_tested
    if is_gated and not wanted.reason:
        return PhaseVerdict(Refusal.UNTESTED)
    untested = (WorkPhase.TESTING,) if is_gated and WorkPhase.TESTING not in between else ()
    return PhaseVerdict(None, (*untested, *between))
