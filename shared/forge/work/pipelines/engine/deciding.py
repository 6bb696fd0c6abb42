"""What is to be done next, phase by phase: something to hand out, or a phase to pass over."""

from collections.abc import Callable

from forge.work.pipelines import artifacts, branches, phases, tasks, verdicts
from forge.work.pipelines.actions import Action, ActionType, TaskShare
from forge.work.pipelines.engine import commands, wording
from forge.work.pipelines.engine.progress import Progress, listed_tasks, send_tasks_back
from forge.work.pipelines.phases import (
    ANALYST_WHO_INVESTIGATES,
    BY_ID,
    DESIGN_MD,
    DESIGN_REVIEW_MD,
    TASKS_MD,
    TASKS_REVIEW_MD,
    Content,
    Effort,
)
from forge.work.pipelines.pipelines import PipelineItem, PipelineSource
from forge.work.pipelines.tasks import Mode, Reviewed
from forge.work.pipelines.verdicts import FAVOURABLE

DESIGN_CAP = 2
"""REVISE rounds after which a person decides about the design."""
RETRY_LIMIT = 5

Decision = Action | None
"""None: this phase is passed over."""


def decide(progress: Progress) -> Decision:
    state = progress.state
    if state.skips(state.current_phase):
        return None
    return _DECISIONS.get(state.current_phase, _agent_works)(progress)


def _agent_works(progress: Progress) -> Decision:
    return spawn(progress.state, progress.state.current_phase)


def spawn(state: PipelineItem, phase_id: str, inputs: list[str] | None = None) -> Action:
    """The agent of a phase, with what the table says that it reads, unless something else is said."""
    phase = BY_ID[phase_id]
    is_alone = phase_id == phases.ANALYSIS and state.skips(phases.INVESTIGATION)
    agent = ANALYST_WHO_INVESTIGATES if is_alone else phase.agent
    listed = [one for one in phase.inputs if not _is_of_skipped(state, one)]
    if phase_id == phases.SUMMARY:
        listed = [*phase.inputs]
    return Action(
        type=ActionType.SPAWN,
        phase=phase_id,
        agent=agent,
        input_files=listed if inputs is None else inputs,
        output_file=phase.output,
        display_message=f"▶ {phase.title} — spawning {agent}…",
    )


def _is_of_skipped(state: PipelineItem, file: str) -> bool:
    """The investigation of a pipeline that has none."""
    return file == phases.INVESTIGATION_MD and state.skips(phases.INVESTIGATION)


def _design(progress: Progress) -> Decision:
    """A design that was sent back is changed, with all that it was drawn from and its review."""
    state = progress.state
    first = spawn(state, phases.DESIGN)
    return first.changed(input_files=[*first.input_files, *_there(state, DESIGN_MD, DESIGN_REVIEW_MD)])


def _there(state: PipelineItem, *files: str) -> list[str]:
    return [file for file in files if state.has(file)]


def _design_review(progress: Progress) -> Decision:
    state = progress.state
    if not state.has(DESIGN_REVIEW_MD):
        return spawn(state, phases.DESIGN_REVIEW)
    if state.design_revisions >= RETRY_LIMIT:
        progress.set(is_design_cap_reached=True)
        what = f"The design was sent back {state.design_revisions} times."
        return wording.limit_reached(state, "design-retry-limit", what)
    verdict = _verdict(progress, DESIGN_REVIEW_MD)
    if verdict in FAVOURABLE:
        return wording.approved(progress, "design-approved", DESIGN_MD, is_capped=False)
    if verdict is None:
        return wording.unreadable(progress, "design-review-unknown", DESIGN_REVIEW_MD)
    if state.design_revisions >= DESIGN_CAP:
        progress.set(is_design_cap_reached=True)
        return wording.approved(progress, "design-approved", DESIGN_MD, is_capped=True)
    progress.go_back(phases.DESIGN)
    return _design(progress)


def _design_checkpoint(progress: Progress) -> Decision:
    """Whatever is asked here is asked of a branch whose type fits the design."""
    state = progress.state
    branch = state.branch or ""
    if not (state.branch_classified or state.use_current_branch) and "/" in branch and state.has(DESIGN_MD):
        fitting = branches.retyped(branch, progress.text(DESIGN_MD))
        if fitting != branch:
            return commands.rename_branch(state, fitting)
        progress.set(branch_classified=True)
    goes_on_alone = state.auto_approve and state.effort is not Effort.L
    if state.is_design_accepted or goes_on_alone:
        return None
    return wording.design_checkpoint(progress)


def _tasks(progress: Progress) -> Decision:
    state = progress.state
    if state.has(TASKS_REVIEW_MD) and state.task_revisions >= RETRY_LIMIT:
        what = f"The tasks were sent back {state.task_revisions} times."
        return wording.limit_reached(state, "task-workflow-rules-retry-limit", what)
    former = _there(state, TASKS_MD, TASKS_REVIEW_MD)
    return spawn(state, phases.TASKS, [DESIGN_MD, *_notes(state, DESIGN_REVIEW_MD), *former])


def _tasks_review(progress: Progress) -> Decision:
    state = progress.state
    if not state.has(TASKS_REVIEW_MD):
        return spawn(state, phases.TASKS_REVIEW)
    if state.task_revisions >= RETRY_LIMIT:
        what = f"The tasks were sent back {state.task_revisions} times."
        return wording.limit_reached(state, "task-retry-limit", what)
    verdict = _verdict(progress, TASKS_REVIEW_MD)
    if verdict in FAVOURABLE:
        return wording.approved(progress, "tasks-approved", TASKS_MD, is_capped=False)
    if verdict is None:
        return wording.unreadable(progress, "task-review-unknown", TASKS_REVIEW_MD)
    progress.go_back(phases.TASKS)
    return _tasks(progress)


def _tasks_checkpoint(progress: Progress) -> Decision:
    return wording.tasks_checkpoint(progress)


def _implementation(progress: Progress) -> Decision:
    state = progress.state
    if not state.tasks:
        listed = listed_tasks(progress)
        if listed.faults and not state.are_tasks_accepted:
            send_tasks_back(progress, listed.faults)
            return _cut_anew(progress)
        if not listed.tasks:
            return _write_tasks(state) if state.skips(phases.TASKS) else _cut_anew(progress)
        progress.set(tasks=listed.tasks)
        state = progress.state
    if state.needs_batch_commit:
        return commands.batch_commit(state)
    ready = tasks.candidates(state.tasks)
    if not ready:
        return _over(progress)
    first = state.tasks[ready[0]].mode
    if first is Mode.HUMAN_GATE:
        return wording.human_gate(state, ready[0])
    if first is not Mode.PARALLEL:
        return implement(state, ready[0])
    others = (place for place, one in enumerate(ready) if state.tasks[one].mode is not Mode.PARALLEL)
    together = ready[: next(others, len(ready))]
    shares = [TaskShare(id=one, output_file=artifacts.implementation(one)) for one in together]
    return _fan_out(spawn(state, phases.IMPLEMENTATION, _to_implement(state)), shares)


def implement(state: PipelineItem, number: str, *, is_retry: bool = False) -> Action:
    former = _there(state, artifacts.implementation(number), artifacts.review(number))
    inputs = _to_implement(state) + (former if is_retry else [])
    return spawn(state, phases.IMPLEMENTATION, inputs).changed(
        output_file=artifacts.implementation(number), task=number
    )


def _to_implement(state: PipelineItem) -> list[str]:
    return [TASKS_MD, DESIGN_MD, *_notes(state, DESIGN_REVIEW_MD), *_notes(state, TASKS_REVIEW_MD)]


def _notes(state: PipelineItem, review: str) -> list[str]:
    """The review, where what it is about was accepted with its findings: they are for whoever goes on."""
    is_accepted_as_is = review == DESIGN_REVIEW_MD and state.is_design_cap_reached
    is_noted = state.has(review) and state.artifacts[review].verdict == "APPROVE_WITH_NOTES"
    return [review] if state.has(review) and (is_accepted_as_is or is_noted) else []


def _whole_review(progress: Progress) -> Decision:
    """With what reviewers of single tasks let pass and noted all the same."""
    state = progress.state
    noted = tasks.numbers_where(state.tasks, lambda task: task.review is Reviewed.PASSED_WITH_NOTES)
    first = spawn(state, phases.WHOLE_REVIEW)
    return first.changed(input_files=[*first.input_files, *_there(state, *map(artifacts.review, noted))])


def _write_tasks(state: PipelineItem) -> Action:
    content = f"# Tasks\n\n## Task 1: {state.spec_name.replace('-', ' ')}\n\nmode: sequential\n"
    return Action(
        type=ActionType.WRITE,
        phase=phases.IMPLEMENTATION,
        path=f"{state.path}/{TASKS_MD}",
        content=content,
        output_file=TASKS_MD,
        setup_only=True,
    )


def _cut_anew(progress: Progress) -> Decision:
    """Somebody has put a list since that holds no tasks, too many, or what can't be read."""
    progress.warnings.append(f"{TASKS_MD} must hold {Content.TASKS.value}, so it is written anew.")
    progress.go_back(phases.TASKS)
    return _tasks(progress)


def _over(progress: Progress) -> Decision:
    """Every task is done, the last by a person or with a commit, so no report has ended the phase."""
    progress.complete(progress.state.current_phase)
    return decide(progress)


def _code_review(progress: Progress) -> Decision:
    """All that failed is implemented again before anything is reviewed again."""
    state = progress.state
    failed = tasks.numbers_where(state.tasks, lambda task: task.review is Reviewed.FAILED)
    for number in failed:
        if state.tasks[number].impl_retries >= RETRY_LIMIT:
            what = f"Task {number} failed its review {state.tasks[number].impl_retries} times."
            return wording.limit_reached(state, f"{wording.IMPL_RETRY_LIMIT}{number}", what)
    if failed:
        return implement(state, failed[0], is_retry=True)
    waiting = tasks.numbers_where(state.tasks, lambda task: task.is_done and not task.has_passed)
    if not waiting:
        return _over(progress) if state.tasks else None
    if len(waiting) == 1:
        (number,) = waiting
        inputs = [artifacts.implementation(number), TASKS_MD]
        one = spawn(state, phases.CODE_REVIEW, inputs)
        return one.changed(output_file=artifacts.review(number), task=number)
    shares = [
        TaskShare(
            id=number, input_files=[artifacts.implementation(number)], output_file=artifacts.review(number)
        )
        for number in waiting
    ]
    return _fan_out(spawn(state, phases.CODE_REVIEW, [TASKS_MD]), shares)


def _fan_out(one: Action, shares: list[TaskShare]) -> Action:
    several = "1 task" if len(shares) == 1 else f"{len(shares)} tasks"
    told = f"{one.display_message} (parallel · {several})"
    return one.changed(shares=shares, output_file=None, display_message=told)


def _pull_request(progress: Progress) -> Decision:
    state = progress.state
    if state.skip_pr:
        return None
    return commands.create_pull_request(state) if state.branch_pushed else commands.push_branch()


def _post_to_source(progress: Progress) -> Decision:
    state = progress.state
    if state.source_type is PipelineSource.TEXT or not state.source_url:
        return None
    return wording.post_to_source(state)


def _final_commit(progress: Progress) -> Decision:
    state = progress.state
    return None if state.skip_pr or state.skips(phases.PULL_REQUEST) else commands.final_commit(state)


def _verdict(progress: Progress, file: str) -> str | None:
    """As it was reported, or else as it reads."""
    return progress.state.artifacts[file].verdict or verdicts.read(progress.text(file)).verdict


_DECISIONS: dict[str, Callable[[Progress], Decision]] = {
    phases.DESIGN: _design,
    phases.DESIGN_REVIEW: _design_review,
    phases.DESIGN_CHECKPOINT: _design_checkpoint,
    phases.TASKS: _tasks,
    phases.TASKS_REVIEW: _tasks_review,
    phases.TASKS_CHECKPOINT: _tasks_checkpoint,
    phases.IMPLEMENTATION: _implementation,
    phases.CODE_REVIEW: _code_review,
    phases.WHOLE_REVIEW: _whole_review,
    phases.PULL_REQUEST: _pull_request,
    phases.POSTING: _post_to_source,
    phases.FINAL_COMMIT: _final_commit,
}
