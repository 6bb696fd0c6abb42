"""What a report of the action that is due does: its result is looked at first, and only then counted."""

from collections.abc import Callable
from enum import StrEnum
from typing import NamedTuple

from forge.errors import InvalidInput, PreconditionFailed
from forge.work.pipelines import phases, task_lists, tasks, verdicts
from forge.work.pipelines.actions import MODEL, Action, ActionType, Purpose
from forge.work.pipelines.engine.progress import (
    Learned,
    PhaseEntry,
    Progress,
    listed_tasks,
    send_tasks_back,
)
from forge.work.pipelines.phases import BY_ID, Content, Phase
from forge.work.pipelines.pipelines import PhaseFailure, PipelineArtifact
from forge.work.pipelines.verdicts import FAIL, REVISE, SKIP, Finding, Review

_COMMAND = "exec"


class Report(NamedTuple):
    """What an action took and, where a caller can say it better than a file, what a review came to."""

    tokens: int = 0
    duration_ms: int = 0
    model: str = ""
    verdict: str | None = None
    findings: tuple[Finding, ...] = ()
    is_of_setup: bool = False
    """The caller says that nothing but setup was done."""
    cost_usd: float | None = None


class Hint(StrEnum):
    PROCEED = "proceed"
    REVISION_REQUIRED = "revision_required"
    SETUP_CONTINUE = "setup_continue"


class StepReported(NamedTuple):
    hint: Hint
    artifact: str = ""
    verdict: str = ""
    findings: tuple[Finding, ...] = ()
    is_retry: bool = False
    display_message: str = ""


Handle = Callable[[Progress, Action, Report], StepReported]


def is_of_another(action: Action, report: Report) -> bool:
    """Whether a report of setup came for what is none: it was sent twice, or is about something before this.

    Of reviews their files decide, whatever is said.
    """
    return report.is_of_setup and not action.setup_only and not BY_ID[action.phase].verdicts


def take_command(progress: Progress, action: Action, report: Report) -> StepReported:
    """A command has run. One that failed is due as before, until it has run or is gone on without."""
    if report.verdict == FAIL:
        said = report.findings[0].description if report.findings else "The command failed."
        failure = PhaseFailure(phase=action.phase, message=said[:500], timestamp=progress.around.now)
        progress.set(error=failure)
        progress.happen("phase-fail", action.phase, outcome="failed", detail=said[:200])
        progress.warnings.append(
            "The command is due as before: run it again and report it without a verdict, or go on without it"
            f" and report it with the verdict {SKIP}."
        )
        return StepReported(Hint.SETUP_CONTINUE, findings=report.findings, is_retry=True)
    count(progress, action, report)
    if action.phase == phases.PULL_REQUEST and report.verdict == SKIP:
        # Without a pull request there is nothing that a summary could be pushed to, either.
        progress.set(skip_pr=True)
    match action.purpose:
        case Purpose.RENAME_BRANCH:
            renamed = {} if report.verdict == SKIP else {"branch": action.branch}
            progress.set(branch_classified=True, **renamed)
        case Purpose.PUSH_BRANCH:
            progress.set(branch_pushed=report.verdict != SKIP)
        case Purpose.BATCH_COMMIT:
            progress.set(needs_batch_commit=False)
        case _:
            progress.complete(action.phase)
            return StepReported(Hint.PROCEED)
    progress.set(action=None, error=None)
    return StepReported(Hint.SETUP_CONTINUE)


def take_written(progress: Progress, action: Action, report: Report) -> StepReported:
    """The caller has the file on its disk; here it is an artifact, unless a better one was put meanwhile."""
    file = str(action.output_file)
    if not listed_tasks(progress).tasks:
        progress.write(file, str(action.content))
    count(progress, action, report)
    progress.set(action=None)
    return StepReported(Hint.SETUP_CONTINUE, artifact=file)


def take_work(progress: Progress, action: Action, report: Report) -> StepReported:
    """An agent has written the one artifact of its phase."""
    phase = BY_ID[action.phase]
    require_content(progress, phase)
    count(progress, action, report)
    if phase.id == phases.DESIGN:
        progress.remove(phases.DESIGN_REVIEW_MD)
    progress.complete(phase.id)
    return StepReported(Hint.PROCEED, artifact=phase.output or "", display_message=_tick(phase, report))


def take_tasks(progress: Progress, action: Action, report: Report) -> StepReported:
    """Tasks that can't be carried out, or break a rule of the team, go back before anybody reviews them."""
    phase = BY_ID[action.phase]
    text = progress.text(phases.TASKS_MD) if progress.state.has(phases.TASKS_MD) else ""
    found, faults = task_lists.read(text)
    if not (found or faults):
        raise lacking(phases.TASKS_MD, Content.TASKS.value)
    flaws = tasks.flaws(found)
    faults = [*faults, *flaws.faults] or progress.around.broken_rules(found)
    progress.warnings += flaws.remarks
    count(progress, action, report)
    if not faults:
        progress.remove(phases.TASKS_REVIEW_MD)
        progress.set(tasks={}, are_tasks_accepted=False)
        progress.complete(phase.id)
        return StepReported(Hint.PROCEED, artifact=phases.TASKS_MD, display_message=_tick(phase, report))
    findings = send_tasks_back(progress, faults)
    return _sent_back(progress, phase, Review(REVISE, findings), artifact=phases.TASKS_REVIEW_MD)


def take_review(progress: Progress, action: Action, report: Report) -> StepReported:
    """Of the design or of the tasks: a REVISE keeps the phase open, a review of an older text is dropped."""
    phase, state = BY_ID[action.phase], progress.state
    file, reviewed = str(phase.output), phase.inputs[0]
    review = read_review(progress, file, phase, report)
    count(progress, action, report)
    progress.count_findings(review.findings)
    if phase.agent:
        progress.learned.append(Learned(phase.agent, review.findings))
    _remember_verdict(progress, file, str(review.verdict))
    if review.verdict != REVISE:
        progress.complete(phase.id, outcome=str(review.verdict))
        return _judged(Hint.PROCEED, file, review)._replace(display_message=_tick(phase, report))
    if state.artifacts[reviewed].seq > state.artifacts[file].seq:
        progress.remove(file)
        progress.set(action=None)
        progress.warnings.append(f"{reviewed} is newer than {file}, so it is reviewed again.")
        return _judged(Hint.SETUP_CONTINUE, file, review)
    counter = "design_revisions" if phase.id == phases.DESIGN_REVIEW else "task_revisions"
    progress.set(**{counter: getattr(state, counter) + 1})
    return _sent_back(progress, phase, review, artifact=file)


def read_review(progress: Progress, file: str, phase: Phase, report: Report) -> Review:
    """What the caller says of it counts before what can be read; without a verdict nothing passes."""
    if not progress.state.has(file):
        raise lacking(file, f"a line `## Verdict:` with one of {', '.join(phase.verdicts)}")
    read = verdicts.read(progress.text(file))
    verdict = report.verdict or read.verdict
    if verdict not in phase.verdicts:
        expected = f"a line `## Verdict:` with one of {', '.join(phase.verdicts)}"
        if report.verdict:
            raise InvalidInput(
                f"{report.verdict[:40]!r} is no verdict of {phase.id}.",
                issues={"verdict": f"One of {', '.join(phase.verdicts)}."},
            )
        raise lacking(file, expected, read.problem)
    return Review(verdict, report.findings or read.findings)


def require_content(progress: Progress, phase: Phase) -> None:
    file = str(phase.output)
    text = progress.text(file) if progress.state.has(file) else ""
    is_there = {
        Content.ANY: True,
        Content.TEXT: bool(text.strip()),
        Content.SECTIONS: "## " in text,
    }
    if not is_there[phase.content]:
        raise lacking(file, phase.content.value)


def lacking(file: str, expected: str, problem: str = "") -> PreconditionFailed:
    return PreconditionFailed(
        f"{file} must hold {expected}. {problem}".rstrip(),
        hint="Put it with pipeline_put_artifact, or in `artifacts` of the call, and report again.",
        details={"artifact": file, "expected": expected},
    )


def count(progress: Progress, action: Action, report: Report) -> None:
    model = report.model or (MODEL if action.type is ActionType.SPAWN else _COMMAND)
    progress.log(PhaseEntry(action.phase, model, report.tokens, report.duration_ms, report.cost_usd))
    progress.happen("action-complete", action.phase, outcome="reported", detail=model)
    _mark_reported(progress, action)


def _mark_reported(progress: Progress, action: Action) -> None:
    """What is done again has a new result; where the old one comes again, somebody may have forgotten it."""
    files = [file for file in action.output_files if progress.state.has(file)]
    if same := [file for file in files if progress.state.artifacts[file].is_reported]:
        progress.warnings.append(
            f"{', '.join(same)} was reported before and is the same since: if there is a new one, put it with"
            " pipeline_put_artifact."
        )
    progress.set(artifacts=progress.state.artifacts | {file: _reported_now(progress, file) for file in files})


def _reported_now(progress: Progress, file: str) -> PipelineArtifact:
    return progress.state.artifacts[file].model_copy(update={"is_reported": True})


def _sent_back(progress: Progress, phase: Phase, review: Review, *, artifact: str) -> StepReported:
    progress.set(action=None)
    progress.happen("revision-required", phase.id, outcome=REVISE, detail=f"{len(review.findings)} findings")
    return _judged(Hint.REVISION_REQUIRED, artifact, review)


def _judged(hint: Hint, file: str, review: Review) -> StepReported:
    return StepReported(hint, file, review.verdict or "", review.findings)


def _remember_verdict(progress: Progress, file: str, verdict: str) -> None:
    one = progress.state.artifacts[file].model_copy(update={"verdict": verdict})
    progress.set(artifacts=progress.state.artifacts | {file: one})


def _tick(phase: Phase, report: Report) -> str:
    minutes, seconds = divmod(report.duration_ms // 1000, 60)
    return f"✓ {phase.title} — {report.tokens:,} tokens, {minutes}:{seconds:02}"
