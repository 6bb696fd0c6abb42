"""One step of a pipeline while it is being decided: the state as it becomes, and what is told of it."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import NamedTuple

from forge.work.pipelines import artifacts, phases, task_lists, tasks
from forge.work.pipelines.pipelines import PipelineArtifact, PipelineItem, Status
from forge.work.pipelines.task_lists import TaskList
from forge.work.pipelines.tasks import Tasks
from forge.work.pipelines.verdicts import GRAVE, Finding
from forge.work.record.changes import Change


def _no_rules(found: Tasks) -> list[str]:
    return []


class Surroundings(NamedTuple):
    """What a step is decided on besides the state."""

    texts: Mapping[str, str]
    """Of the artifacts that the state has; a text is looked at only where it matters."""
    now: datetime
    broken_rules: Callable[[Tasks], list[str]] = _no_rules
    """What the team's own rules find wrong with tasks."""
    page: str = ""
    """Where people see all of the pipeline."""


class PhaseEntry(NamedTuple):
    """A line of the log."""

    phase: str
    model: str = ""
    tokens: int = 0
    duration_ms: int = 0
    cost_usd: float | None = None
    """As it was told; None where it is only estimated from the tokens."""


class Event(NamedTuple):
    """A step of the pipeline that its log and its event tell of."""

    event: str
    phase: str
    outcome: str = ""
    detail: str = ""


class Learned(NamedTuple):
    """The findings of a review, from which recurring patterns are learned."""

    agent: str
    findings: tuple[Finding, ...]


MOST_FEEDBACK = 20_000
"""Characters of what people said that wait for an agent; of more, the newest."""

SKIPPED, ANSWERED = "skipped", "checkpoint"
"""What the log has for a model where none was at work."""


class Progress(Change[PipelineItem]):
    def __init__(self, state: PipelineItem, around: Surroundings) -> None:
        super().__init__(state)
        self.around = around
        self.entries: list[PhaseEntry] = []
        self.events: list[Event] = []
        self.warnings: list[str] = []
        self.learned: list[Learned] = []
        self.written: dict[str, str] = {}
        self.stored: list[tuple[str, PipelineArtifact, str]] = []
        """New versions of artifacts, with their texts: they are still to be stored."""

    @property
    def state(self) -> PipelineItem:
        """The pipeline with the changes made so far."""
        return self.after

    def hear(self, words: str | None) -> None:
        """What a person says to the next agent, after what was said before; the same again adds nothing."""
        said, before = (words or "").strip(), self.state.feedback or ""
        if said and said != before and not before.endswith(f"\n\n{said}"):
            self.set(feedback=f"{before}\n\n{said}".strip()[-MOST_FEEDBACK:])

    def happen(self, event: str, phase: str, *, outcome: str = "", detail: str = "") -> None:
        self.events.append(Event(event, phase, outcome, detail))

    def log(self, entry: PhaseEntry) -> None:
        self.entries.append(entry)
        self.set(
            log_entries=self.state.log_entries + 1,
            total_tokens=self.state.total_tokens + entry.tokens,
            total_duration_ms=self.state.total_duration_ms + entry.duration_ms,
        )
        if entry.cost_usd is not None:
            self.set(
                told_cost_usd=round(self.state.told_cost_usd + entry.cost_usd, 6),
                priced_tokens=self.state.priced_tokens + entry.tokens,
            )

    def count_findings(self, findings: tuple[Finding, ...]) -> None:
        critical = sum(one.severity in GRAVE for one in findings)
        self.set(
            critical_findings=self.state.critical_findings + critical,
            minor_findings=self.state.minor_findings + len(findings) - critical,
        )

    def text(self, file: str) -> str:
        """Of an artifact that is there."""
        if file in self.written:
            return self.written[file]
        return self.around.texts[file]

    def write(self, file: str, text: str) -> None:
        self.after = artifacts.put(self.state, file, text, now=self.around.now)
        self.written[file] = text
        self.stored.append((file, self.state.artifacts[file], text))

    def remove(self, *files: str) -> None:
        self.after = self.state.without(*files)

    def complete(self, phase: str, *, outcome: str = "completed") -> None:
        self.set(action=None, error=None)
        self.happen("phase-complete", phase, outcome=outcome)
        self._advance(phase)

    def skip(self) -> None:
        phase = self.state.current_phase
        if phase not in self.state.passed_over:
            self.set(passed_over=[*self.state.passed_over, phase])
        self.log(PhaseEntry(phase, SKIPPED))
        self._advance(phase)

    def go_back(self, phase: str) -> None:
        self.set(current_phase=phase, status=Status.PENDING, action=None, phase_started_at=None)

    def abandon(self, reason: str = "") -> None:
        """End the pipeline in its current phase; its artifacts and log are kept."""
        phase = self.state.current_phase
        self.set(status=Status.ABANDONED, action=None, phase_started_at=None)
        self.happen("abandon", phase, outcome="abandoned", detail=reason)

    def _advance(self, phase: str) -> None:
        """On to the phase that follows; whether that one is skipped is decided there."""
        following = phases.after(phase)
        is_end = following == phases.COMPLETED
        status = Status.COMPLETED if is_end else Status.PENDING
        self.set(current_phase=following, status=status, phase_started_at=None)
        if is_end:
            self.happen("pipeline-complete", phases.COMPLETED, outcome="completed")


def listed_tasks(progress: Progress) -> TaskList:
    """What the list of tasks says, as long as it says something that can be kept."""
    if not progress.state.has(phases.TASKS_MD):
        return TaskList({}, [])
    listed = task_lists.read(progress.text(phases.TASKS_MD))
    return TaskList({}, []) if tasks.excess_of(listed.tasks) else listed


def send_tasks_back(progress: Progress, faults: list[str]) -> tuple[Finding, ...]:
    """With a review that names what is wrong, for whoever writes the list anew."""
    findings = tuple(Finding("CRITICAL", fault) for fault in faults)
    lines = [f"{number}. **[CRITICAL] {one.description}**" for number, one in enumerate(findings, 1)]
    progress.write(phases.TASKS_REVIEW_MD, "\n\n".join(["## Verdict: REVISE", *lines]) + "\n")
    progress.set(task_revisions=progress.state.task_revisions + 1)
    return findings
