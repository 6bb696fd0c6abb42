"""A pipeline and its actions as callers see them."""

import json
from collections.abc import Callable
from typing import Any

from forge.errors import InvalidInput
from forge.work.pipelines.actions import MODEL, Action, ActionType, TaskShare
from forge.work.pipelines.engine.engine import StepOutcome
from forge.work.pipelines.engine.reporting import StepReported as EngineReport
from forge.work.pipelines.phases import BY_ID, CODE_REVIEW, SETUP, template_of
from forge.work.pipelines.pipelines import PipelineItem, PromptItem
from forge.work.pipelines.prompts import prompts
from forge.work.pipelines.prompts.prompts import brief_of
from forge.work.pipelines.tasks import Reviewed, Task, numbers_where
from functions.pipeline.estimates import usd_of
from functions.pipeline.models.stepping import (
    ActionView,
    Analytics,
    FailureView,
    FindingCounts,
    FindingView,
    PostMethodView,
    PromptView,
    Reported,
    ReportedResult,
    Resumed,
    Retried,
    Revisions,
    ShareView,
)

_FIELDS: dict[ActionType, tuple[str, ...]] = {
    ActionType.SPAWN: ("phase", "agent", "input_files"),
    ActionType.CHECKPOINT: ("phase", "name", "title", "present_to_user", "options"),
    ActionType.HUMAN_GATE: ("phase", "name", "title", "present_to_user", "options"),
    ActionType.EXEC: ("phase", "commands", "setup_only"),
    ActionType.WRITE: ("phase", "path", "content", "setup_only"),
    ActionType.DONE: ("summary", "summary_path"),
}
"""What each type of action shows of itself."""

_SPARED = frozenset(
    {
        *("analytics", "current_phase", "current_phase_status", "input_files", "model", "output_file"),
        *("parallel_task_ids", "phase", "setup_only"),
    }
)
"""What whoever passes on one line has no use for: it is the agent's, or in state_resume_info."""
_EACH_ITS_OWN = "Start one agent for each of parallel_tasks, with its own prompt."

RETRY_AFTER_SECONDS = 15
"""People take longer than that; who asks sooner learns nothing."""


def action_view(outcome: StepOutcome, prompt: PromptItem | None, *, is_whole: bool) -> ActionView:
    """`is_whole`: with all of a prompt and all that is known, and not only what its driver needs."""
    action, state = outcome.action, outcome.state
    warnings = list(outcome.progress.warnings)
    shown: dict[str, Any] = {
        "type": action.type if action else "",
        "report_result": _reported(outcome.reported, outcome) if outcome.reported else None,
        "current_phase": state.current_phase,
        "current_phase_status": state.status,
    }
    if action is None:
        shown["display_message"] = _sent_back(outcome)
    else:
        shown |= _shown(action) | _said(state, action, is_waiting=outcome.is_waiting)
        if action.type is ActionType.SPAWN and prompt is not None:
            shown |= _prompts(state, action, prompt, is_whole=is_whole)
            warnings += [prompt.warning] if prompt.warning else []
    shown["warning"] = "; ".join(warnings)
    if not is_whole:
        shown = {
            name: value for name, value in shown.items() if name == "type" or (value and name not in _SPARED)
        }
    return ActionView(**shown)


def _said(state: PipelineItem, action: Action, *, is_waiting: bool) -> dict[str, Any]:
    """What is shown with every kind of action: its message and, where a person is asked, the cost so far."""
    lines = [action.display_message]
    shown: dict[str, Any] = {}
    if is_waiting:
        shown |= {"still_waiting": True, "retry_after": RETRY_AFTER_SECONDS}
    if action.waits_for_a_person:
        figures = analytics(state)
        shown["analytics"] = figures
        lines += [_cost_line(figures)] if figures.total_tokens else []
    return shown | {"display_message": "\n".join(filter(None, lines))}


def reported_result(outcome: StepOutcome) -> ReportedResult:
    said = outcome.reported
    if said is None:
        raise LookupError("a report that was filed says what came of it")
    view = _reported(said, outcome)
    is_filed = bool(outcome.progress.events)
    return ReportedResult(state_updated=is_filed, artifact_written=said.artifact, **view.model_dump())


def resumed(state: PipelineItem) -> Resumed:
    tasks = state.tasks
    gate = state.action and state.action.type is ActionType.HUMAN_GATE
    return Resumed.of(
        state,
        workspace=state.path,
        current_phase_status=state.status,
        flow_template=template_of(state.effort),
        revisions=Revisions.of(state),
        error=FailureView.of(state.error) if state.error else None,
        pending_tasks=numbers_where(tasks, lambda one: not one.is_done or one.review is Reviewed.FAILED),
        completed_tasks=numbers_where(tasks, _completed_in(state)),
        skipped_tasks=numbers_where(tasks, lambda one: one.is_passed_over),
        total_tasks=len(tasks),
        phase_log_entries=state.log_entries,
        tasks_with_retries=[
            Retried(
                task=number,
                impl_retries=tasks[number].impl_retries,
                review_retries=tasks[number].review_retries,
            )
            for number in numbers_where(tasks, lambda one: one.impl_retries > 0)
        ],
        estimated_cost_usd=cost_of(state),
        checkpoint_revision_pending=state.is_revision_pending,
        design_revise_cap_reached=state.is_design_cap_reached,
        pending_human_gate=state.action.name if gate and state.action else None,
        pending_action={"type": state.action.type.value, **_shown(state.action)} if state.action else None,
        last_updated=state.updated_at,
    )


def _completed_in(state: PipelineItem) -> Callable[[Task], bool]:
    """Where nobody reviews the code, what is done is all that a task can be."""
    if state.skips(CODE_REVIEW):
        return lambda task: task.is_done and not task.is_passed_over
    return lambda task: task.has_passed and not task.is_passed_over


def analytics(state: PipelineItem) -> Analytics:
    executed = [phase for phase in state.completed_phases if phase not in (SETUP, *state.passed_over)]
    return Analytics(
        pipeline=state.spec_name,
        effort=state.effort,
        flow_template=template_of(state.effort),
        total_tokens=state.total_tokens,
        total_duration_ms=state.total_duration_ms,
        total_duration=duration(state.total_duration_ms),
        estimated_cost_usd=cost_of(state),
        phases_executed=len(executed),
        phases_skipped=len(state.passed_over),
        retries=state.rounds_done_again,
        review_findings=FindingCounts(critical=state.critical_findings, minor=state.minor_findings),
    )


def cost_of(state: PipelineItem) -> float:
    """What was told, and an estimate for the rest."""
    return round(state.told_cost_usd + usd_of(state.total_tokens - state.priced_tokens), 6)


def duration(milliseconds: int) -> str:
    """`1h 2m 3s`, from the first that counts."""
    minutes, seconds = divmod(milliseconds // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return (f"{hours}h " if hours else "") + (f"{minutes}m " if hours or minutes else "") + f"{seconds}s"


def _sent_back(outcome: StepOutcome) -> str:
    """The message of a step that a review sent back, after which there is no action yet."""
    label = BY_ID[outcome.state.current_phase].label
    verdict = outcome.reported.verdict if outcome.reported else ""
    return f"↩ {label}: {verdict}. Show the findings, then call pipeline_next_action again: it is done anew."


def _cost_line(figures: Analytics) -> str:
    return (
        f"So far {figures.total_tokens:,} tokens (~${figures.estimated_cost_usd:.2f}),"
        f" {_counted(figures.phases_executed, 'phase', 'phases')},"
        f" {_counted(figures.retries, 'retry', 'retries')}"
    )


def _counted(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _shown(action: Action) -> dict[str, Any]:
    shown = {name: getattr(action, name) for name in _FIELDS[action.type]}
    shown = {name: value for name, value in shown.items() if value is not None}
    if action.id:
        shown["action_id"] = action.id
    if action.type is ActionType.SPAWN:
        shown["model"] = MODEL
        shown["parallel_task_ids"] = action.task_ids if action.shares else None
        if not action.shares:
            shown["output_file"] = action.output_file or ""
    if action.post_method:
        shown["post_method"] = PostMethodView.of(action.post_method)
    return shown


def prompt_view(state: PipelineItem, action: Action, prompt: PromptItem, task: str | None) -> PromptView:
    """For the agent that was started with the line."""
    agent = str(action.agent)
    if not action.shares:
        return PromptView(agent=agent, prompt=prompt.prompt, output_file=action.output_file or "")
    share = next((one for one in action.shares if one.id == task), None)
    if share is None:
        raise InvalidInput(
            "Several agents work at once, each on a task of its own.",
            issues={"task": f"One of {', '.join(action.task_ids)}."},
        )
    text = prompts.for_task(prompt.prompt, brief_of(state.tasks, share.id))
    return PromptView(agent=agent, prompt=text, output_file=share.output_file)


def _prompts(state: PipelineItem, action: Action, prompt: PromptItem, *, is_whole: bool) -> dict[str, Any]:
    def told(share: TaskShare) -> str:
        if is_whole:
            return prompts.for_task(prompt.prompt, brief_of(state.tasks, share.id))
        return _line(state, action, task=share.id)

    if not action.shares:
        return {"prompt": prompt.prompt if is_whole else _line(state, action)}
    shares = [
        ShareView.of(share, title=state.tasks[share.id].title, prompt=told(share)) for share in action.shares
    ]
    whole = prompts.for_any_task(prompt.prompt) if is_whole else _EACH_ITS_OWN
    return {"prompt": whole, "parallel_tasks": shares}


def _line(state: PipelineItem, action: Action, **task: str) -> str:
    asked = json.dumps({"workspace": state.path, "action_id": action.id, **task})
    return f"Call Forge's tool pipeline_get_prompt with {asked}, do what it says, and answer in one line."


def _reported(said: EngineReport, outcome: StepOutcome) -> Reported:
    return Reported(
        next_action_hint=said.hint,
        verdict_parsed=said.verdict,
        findings=[FindingView(**one._asdict()) for one in said.findings],
        retry=said.is_retry or None,
        warning="; ".join(outcome.progress.warnings),
        display_message=said.display_message,
    )
