"""One step: `step(state, around, said)` files a report, takes an answer in, and hands out what is due.

The same state, artifacts, time and words always lead to the same outcome. Whoever asks again gets what was
handed out, word for word; a report or an answer counts for the action that is due, and for no other.
"""

from collections.abc import Sequence
from typing import NamedTuple

from forge.errors import Conflict, InvalidInput
from forge.work.pipelines import actions, phases
from forge.work.pipelines.actions import Action, ActionType
from forge.work.pipelines.engine import answering, reporting, task_reports
from forge.work.pipelines.engine.deciding import decide
from forge.work.pipelines.engine.progress import Progress, Surroundings
from forge.work.pipelines.engine.reporting import Handle, Hint, Report, StepReported
from forge.work.pipelines.phases import BY_ID
from forge.work.pipelines.pipelines import PipelineItem, Status

_MOST_ROUNDS = 2 * len(phases.ORDER)

_TAKES: dict[str, Handle] = {
    phases.DESIGN_REVIEW: reporting.take_review,
    phases.TASKS_REVIEW: reporting.take_review,
    phases.TASKS: reporting.take_tasks,
    phases.IMPLEMENTATION: task_reports.take_implementations,
    phases.CODE_REVIEW: task_reports.take_code_reviews,
}


class Said(NamedTuple):
    """What came with a call. `action_id` says which action it is about; without one, about the one due."""

    report: Report | None = None
    action_id: str | None = None
    phase: str | None = None
    response: str | None = None
    feedback: str | None = None
    artifacts: Sequence[tuple[str, str]] = ()


NOTHING_SAID = Said()


class StepOutcome(NamedTuple):
    """What a step came to. Without an action, there is only a report to look at."""

    progress: Progress
    action: Action | None = None
    reported: StepReported | None = None
    is_new: bool = False
    """Whether the action was handed out for the first time."""
    feedback: str | None = None
    """What a person said, for the prompt of this action."""
    is_waiting: bool = False
    """Whether a person is still to answer what was asked before."""

    @property
    def state(self) -> PipelineItem:
        return self.progress.state


def step(state: PipelineItem, around: Surroundings, said: Said = NOTHING_SAID) -> StepOutcome:
    """Decide what `pipeline_next_action` answers, and what its report and answer change."""
    progress = Progress(state, around)
    if state.is_over:
        return StepOutcome(progress, _done(state))
    if _is_of_the_past(state, said.action_id, field="previous_action_id"):
        if said.response is not None:
            progress.warnings.append("This was answered before, so nothing changes.")
        return _hand_out(progress)
    _take_in(progress, said)
    reported = _report(progress, said.report) if said.report else None
    if reported and reported.hint is Hint.REVISION_REQUIRED and not reported.is_retry:
        return StepOutcome(progress, reported=reported)
    if said.response is not None:
        _answer(progress, said.response, is_quoted=said.action_id is not None)
    # Whoever drives it shows what a review said, whatever comes next.
    return _hand_out(progress)._replace(reported=reported if reported and reported.verdict else None)


def report_result(state: PipelineItem, around: Surroundings, said: Said) -> StepOutcome:
    """What `pipeline_report_result` does: the report alone. What it is not about stays as it is."""
    phase = str(said.phase)
    if phase not in BY_ID:
        known = ", ".join(phases.ORDER[1:-1])
        raise InvalidInput(f"There is no phase {phase[:40]!r}.", issues={"phase": f"One of {known}."})
    due, progress = state.action, Progress(state, around)
    if state.is_over:
        raise Conflict(
            f"This pipeline is {state.status}, so nothing is reported.",
            hint="Its artifacts stay; begin another with pipeline_init.",
        )
    if _is_of_the_past(state, said.action_id, field="action_id"):
        raise overtaken(state, f"{said.action_id} was settled before, so this report changes nothing.")
    if due is None or due.phase != phase or due.waits_for_a_person:
        raise overtaken(state, f"{phase} is not what is due.")
    _take_in(progress, said)
    return StepOutcome(progress, reported=_report(progress, said.report or Report()))


def answer_only(state: PipelineItem, around: Surroundings, option: str, feedback: str | None) -> Progress:
    """A person has answered elsewhere; what is due then, the next caller is told."""
    progress = Progress(state, around)
    progress.hear(feedback)
    if progress.state.action is not None:
        answering.answer(progress, progress.state.action, option)
    return progress


def abandon(state: PipelineItem, around: Surroundings, reason: str) -> Progress:
    """Ending it again changes nothing; what is completed can't be undone."""
    progress = Progress(state, around)
    if state.status is Status.COMPLETED:
        raise Conflict(
            "This pipeline is completed.",
            hint="There is nothing to abandon; begin another with pipeline_init.",
        )
    if state.status is not Status.ABANDONED:
        progress.abandon(reason)
    return progress


def overtaken(state: PipelineItem, message: str, *, is_retryable: bool = False) -> Conflict:
    """With what is due instead, so that nobody has to ask for it.

    It may be said again only where it says which action it is about: else it counts for the one that is due.
    """
    due = state.action
    current = {"action_id": due.id, "type": due.type.value, "phase": due.phase} if due else None
    return Conflict(
        message,
        hint="pipeline_next_action gives the current action; report that one.",
        details={"current_action": current, "current_phase": state.current_phase},
        retryable=is_retryable,
    )


def _take_in(progress: Progress, said: Said) -> None:
    for file, text in said.artifacts:
        progress.write(file, text)
    progress.hear(said.feedback)


def _is_of_the_past(state: PipelineItem, action_id: str | None, *, field: str) -> bool:
    """Whether what was said is about an action that was settled before."""
    if action_id is None or (state.action and action_id == state.action.id):
        return False
    number = actions.number_of(action_id)
    if number is None or not 0 < number <= state.action_number:
        raise InvalidInput(
            f"This pipeline never had an action {action_id[:40]!r}.",
            issues={field: "The action_id of an action that was handed out."},
        )
    return True


def _report(progress: Progress, report: Report) -> StepReported | None:
    due = progress.state.action
    if due is None or due.waits_for_a_person:
        progress.warnings.append(
            "A person has to answer this, so nothing is reported." if due else "There was nothing to report."
        )
        return None
    if reporting.is_of_another(due, report):
        progress.warnings.append(
            f"{due.id} is more than setup, so nothing is reported. Once it is done, report it without that."
        )
        return StepReported(Hint.SETUP_CONTINUE)
    if due.type is ActionType.EXEC:
        return reporting.take_command(progress, due, report)
    if due.type is ActionType.WRITE:
        return reporting.take_written(progress, due, report)
    return _TAKES.get(due.phase, reporting.take_work)(progress, due, report)


def _answer(progress: Progress, said: str, *, is_quoted: bool) -> None:
    due = progress.state.action
    if due is None or not due.waits_for_a_person:
        progress.warnings.append("Nobody was asked, so the answer changes nothing.")
        return
    option = answering.understood(due, said)
    if option is None:
        offered = ", ".join(due.options)
        progress.warnings.append(f"Answer with one of {offered}; say anything else in user_feedback.")
    elif not is_quoted and said.strip().lower() == progress.state.answered_with:
        progress.warnings.append(
            f"This may be the answer to the question before, sent again, so it was not taken. If it answers"
            f" {due.title or due.name!r}, send it with previous_action_id {due.id}."
        )
    else:
        answering.answer(progress, due, option)
        progress.set(answered_with=said.strip().lower())


def _hand_out(progress: Progress) -> StepOutcome:
    due = progress.state.action
    if due is not None:
        return StepOutcome(progress, due, is_waiting=due.waits_for_a_person)
    for _ in range(_MOST_ROUNDS):
        if progress.state.is_over:
            return StepOutcome(progress, _done(progress.state))
        wanted = decide(progress)
        if wanted is not None:
            return _dispatch(progress, wanted)
        progress.skip()
    raise RuntimeError(f"{progress.state.name} goes round in circles at {progress.state.current_phase}")


def _dispatch(progress: Progress, wanted: Action) -> StepOutcome:
    """From here on this is what is due. A retry is handed out in the phase that it belongs to."""
    number = progress.state.action_number + 1
    action = wanted.changed(id=actions.id_of(number))
    is_asked = action.waits_for_a_person
    if not is_asked:
        progress.set(answered_with="")
    progress.set(
        action=action,
        action_number=number,
        current_phase=action.phase,
        status=Status.AWAITING_HUMAN if is_asked else Status.IN_PROGRESS,
        phase_started_at=progress.around.now,
    )
    progress.happen("checkpoint" if is_asked else "phase-start", action.phase, outcome=str(action.type))
    if action.type is not ActionType.SPAWN:
        return StepOutcome(progress, action, is_new=True)
    progress.happen("agent-dispatch", action.phase, outcome="spawned", detail=str(action.agent))
    feedback = progress.state.feedback
    progress.set(feedback=None)
    return StepOutcome(progress, action, is_new=True, feedback=feedback)


def _done(state: PipelineItem) -> Action:
    if state.status is Status.ABANDONED:
        summary = f"Pipeline abandoned at {state.current_phase}"
        return Action(type=ActionType.DONE, phase=state.current_phase, summary=summary)
    skipped = len(state.passed_over)
    done = len(phases.ORDER) - 2 - skipped
    return Action(
        type=ActionType.DONE,
        phase=phases.COMPLETED,
        summary=f"Pipeline completed: {done} phases, {skipped} skipped",
        summary_path=f"{state.path}/{phases.SUMMARY_MD}" if state.has(phases.SUMMARY_MD) else None,
    )
