"""The phases of a pipeline, in one table: who works in each, on what, and what its result must hold."""

from enum import StrEnum
from typing import NamedTuple

SETUP, COMPLETED = "setup", "completed"
ANALYSIS, INVESTIGATION = "phase-1", "phase-2"
DESIGN, DESIGN_REVIEW, DESIGN_CHECKPOINT = "phase-3", "phase-3b", "checkpoint-a"
TASKS, TASKS_REVIEW, TASKS_CHECKPOINT = "phase-4", "phase-4b", "checkpoint-b"
IMPLEMENTATION, CODE_REVIEW = "phase-5", "phase-6"
WHOLE_REVIEW, VERIFICATION = "phase-7", "final-verification"
PULL_REQUEST, SUMMARY, POSTING, FINAL_COMMIT = (
    "pr-creation",
    "final-summary",
    "post-to-source",
    "final-commit",
)

REQUEST_MD, ANALYSIS_MD, INVESTIGATION_MD = "request.md", "analysis.md", "investigation.md"
DESIGN_MD, DESIGN_REVIEW_MD = "design.md", "review-design.md"
TASKS_MD, TASKS_REVIEW_MD = "tasks.md", "review-tasks.md"
SUMMARY_MD, WHOLE_REVIEW_MD = "summary.md", "comprehensive-review.md"

DESIGN_VERDICTS = ("APPROVE", "APPROVE_WITH_NOTES", "REVISE")
CODE_VERDICTS = ("PASS", "PASS_WITH_NOTES", "FAIL")


class Content(StrEnum):
    """What an artifact must hold before its phase is over."""

    ANY = "any"
    TEXT = "some text"
    SECTIONS = "at least one section, a line that begins with `## `"
    TASKS = "at least one line `## Task 1: title`"
    VERDICT = "one verdict, as in `## Verdict: …`"


class Phase(NamedTuple):
    id: str
    label: str = ""
    agent: str | None = None
    inputs: tuple[str, ...] = ()
    output: str | None = None
    content: Content = Content.ANY
    verdicts: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """`Phase 3b: Design Review`; of a phase without a number its label."""
        number = self.id.removeprefix("phase-")
        return f"Phase {number}: {self.label}" if number != self.id else self.label or self.id


PHASES = (
    Phase(SETUP, output=REQUEST_MD),
    Phase(ANALYSIS, "Situation Analysis", "situation-analyst", (REQUEST_MD,), ANALYSIS_MD, Content.TEXT),
    Phase(
        INVESTIGATION,
        "Investigation",
        "investigator",
        (REQUEST_MD, ANALYSIS_MD),
        INVESTIGATION_MD,
        Content.TEXT,
    ),
    Phase(
        DESIGN,
        "Design",
        "architect",
        (REQUEST_MD, ANALYSIS_MD, INVESTIGATION_MD),
        DESIGN_MD,
        Content.SECTIONS,
    ),
    Phase(
        DESIGN_REVIEW,
        "Design Review",
        "design-reviewer",
        (DESIGN_MD,),
        DESIGN_REVIEW_MD,
        Content.VERDICT,
        DESIGN_VERDICTS,
    ),
    Phase(DESIGN_CHECKPOINT, "Design Checkpoint"),
    Phase(TASKS, "Task Decomposition", "task-decomposer", (DESIGN_MD,), TASKS_MD, Content.TASKS),
    Phase(
        TASKS_REVIEW,
        "Tasks AI Review",
        "task-reviewer",
        (TASKS_MD,),
        TASKS_REVIEW_MD,
        Content.VERDICT,
        DESIGN_VERDICTS,
    ),
    Phase(TASKS_CHECKPOINT, "Tasks Checkpoint"),
    Phase(IMPLEMENTATION, "Implementation", "implementer", (TASKS_MD, DESIGN_MD)),
    Phase(CODE_REVIEW, "Code Review", "impl-reviewer", (TASKS_MD,), verdicts=CODE_VERDICTS),
    Phase(
        WHOLE_REVIEW,
        "Comprehensive Review",
        "comprehensive-reviewer",
        (DESIGN_MD, TASKS_MD),
        WHOLE_REVIEW_MD,
        Content.TEXT,
    ),
    Phase(
        VERIFICATION,
        "Final Verification",
        "verifier",
        (TASKS_MD, DESIGN_MD),
        "final-verification.md",
        Content.TEXT,
    ),
    Phase(PULL_REQUEST, "PR Creation"),
    Phase(
        SUMMARY,
        "Final Summary",
        "verifier",
        (WHOLE_REVIEW_MD, REQUEST_MD, DESIGN_MD, TASKS_MD, ANALYSIS_MD, INVESTIGATION_MD),
        SUMMARY_MD,
        Content.TEXT,
    ),
    Phase(POSTING, "Post to Source"),
    Phase(FINAL_COMMIT, "Final Commit"),
    Phase(COMPLETED),
)

ORDER = tuple(phase.id for phase in PHASES)
BY_ID = {phase.id: phase for phase in PHASES}
_PLACE = {phase: place for place, phase in enumerate(ORDER)}

ANALYST_WHO_INVESTIGATES = "situation-analyst-investigator"
"""Does the work of two phases where the second is skipped."""


class Effort(StrEnum):
    S = "S"
    M = "M"
    L = "L"


TEMPLATES = {Effort.S: "light", Effort.M: "standard", Effort.L: "full"}
SKIPPED: dict[Effort, tuple[str, ...]] = {
    Effort.S: (INVESTIGATION, TASKS, TASKS_REVIEW, TASKS_CHECKPOINT, CODE_REVIEW),
    Effort.M: (TASKS_REVIEW, TASKS_CHECKPOINT),
    Effort.L: (),
}


def template_of(effort: str) -> str:
    """Of an effort that only a newer build knows, the middle way."""
    return TEMPLATES.get(Effort(effort) if effort in Effort.__members__ else Effort.M, "standard")


def after(phase: str) -> str:
    """The phase that follows; nothing follows the last."""
    return ORDER[min(_PLACE[phase] + 1, len(ORDER) - 1)]


def before(phase: str) -> list[str]:
    """The phases before this one, in order."""
    return list(ORDER[: _PLACE[phase]])
