"""What a report does that is about tasks: which are implemented, and how their reviews came out."""

from collections.abc import Callable

from forge.errors import InvalidInput
from forge.work.pipelines import artifacts, phases, tasks
from forge.work.pipelines.actions import Action
from forge.work.pipelines.engine.progress import Progress
from forge.work.pipelines.engine.reporting import Hint, Report, StepReported, count, lacking, read_review
from forge.work.pipelines.phases import BY_ID
from forge.work.pipelines.tasks import Reviewed
from forge.work.pipelines.verdicts import FAIL, Review

_OUTCOMES = {
    "PASS": Reviewed.PASSED,
    "PASS_WITH_NOTES": Reviewed.PASSED_WITH_NOTES,
    FAIL: Reviewed.FAILED,
}
_GRAVITY = ("PASS", "PASS_WITH_NOTES", FAIL)


def take_implementations(progress: Progress, action: Action, report: Report) -> StepReported:
    """Tasks whose file is there are done; the others are handed out again."""
    state = progress.state
    done = [task for task in action.task_ids if state.has(artifacts.implementation(task))]
    if not done:
        expected = ", ".join(artifacts.implementation(task) for task in action.task_ids)
        raise lacking(expected, "what was done for the task")
    count(progress, action, report)
    for task in done:
        # A review of what was there before says nothing of what is there now.
        progress.remove(artifacts.review(task))
    finished = {task: state.tasks[task].changed(is_done=True, review=Reviewed.NO) for task in done}
    progress.after = progress.state.with_tasks(finished)
    if action.shares:
        # Agents that work side by side do not commit; one that works alone does.
        progress.set(needs_batch_commit=True)
    progress.set(action=None)
    _warn_of_missing(progress, action, done, artifacts.implementation)
    named = artifacts.implementation(done[0]) if len(done) == 1 else ""
    is_open = bool(tasks.numbers_where(progress.state.tasks, lambda task: not task.is_done))
    if is_open or progress.state.needs_batch_commit:
        return StepReported(Hint.SETUP_CONTINUE, artifact=named)
    progress.complete(phases.IMPLEMENTATION)
    return StepReported(Hint.PROCEED, artifact=named)


def take_code_reviews(progress: Progress, action: Action, report: Report) -> StepReported:
    """Each review counts for its own task: one that failed is implemented again, whatever others say."""
    phase, state = BY_ID[phases.CODE_REVIEW], progress.state
    if report.verdict and len(action.task_ids) > 1:
        raise InvalidInput(
            "One verdict can't be that of several reviews.",
            issues={"verdict": "Leave it out: each review says its own."},
        )
    there = [task for task in action.task_ids if state.has(artifacts.review(task))]
    if not there:
        expected = ", ".join(artifacts.review(task) for task in action.task_ids)
        raise lacking(expected, f"a line `## Verdict:` with one of {', '.join(phase.verdicts)}")
    reviews = {task: read_review(progress, artifacts.review(task), phase, report) for task in there}
    count(progress, action, report)
    for task, review in reviews.items():
        _judge(progress, task, review)
    progress.set(action=None)
    _warn_of_missing(progress, action, there, artifacts.review)
    return _outcome(progress, reviews)


def _judge(progress: Progress, number: str, review: Review) -> None:
    task, verdict = progress.state.tasks[number], str(review.verdict)
    retries = task.impl_retries + (verdict == FAIL)
    # What failed before was reviewed before.
    again = task.review_retries + (task.impl_retries > 0)
    judged = task.changed(review=_OUTCOMES[verdict], impl_retries=retries, review_retries=again)
    progress.count_findings(review.findings)
    progress.after = progress.state.with_tasks({number: judged})


def _outcome(progress: Progress, reviews: dict[str, Review]) -> StepReported:
    worst = max((str(one.verdict) for one in reviews.values()), key=_GRAVITY.index)
    findings = tuple(finding for one in reviews.values() for finding in one.findings)
    named = artifacts.review(next(iter(reviews))) if len(reviews) == 1 else ""
    said = StepReported(Hint.PROCEED, named, worst, findings)
    if worst == FAIL:
        failed = ", ".join(task for task, one in reviews.items() if one.verdict == FAIL)
        progress.happen("revision-required", phases.CODE_REVIEW, outcome=FAIL, detail=f"tasks {failed}")
        return said._replace(hint=Hint.REVISION_REQUIRED, is_retry=True)
    if tasks.numbers_where(progress.state.tasks, lambda task: not task.has_passed):
        return said._replace(hint=Hint.SETUP_CONTINUE)
    progress.complete(phases.CODE_REVIEW, outcome=worst)
    return said


def _warn_of_missing(
    progress: Progress, action: Action, there: list[str], file_of: Callable[[str], str]
) -> None:
    missing = [file_of(task) for task in action.task_ids if task not in there]
    if missing:
        progress.warnings.append(f"Missing, and handed out again: {', '.join(missing)}.")
