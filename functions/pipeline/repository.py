"""A step of a pipeline from what is stored to what is stored then, with the prompt of whoever is spawned."""

from collections.abc import Callable

from forge.context import Context
from forge.errors import Forbidden
from forge.store.pages import AskedPage, Found, read_page
from forge.store.walks import one_partition
from forge.work.pipelines import verdicts
from forge.work.pipelines.actions import Action, ActionType
from forge.work.pipelines.desk import knowledge, saving
from forge.work.pipelines.desk.opening import OpenPipeline, open_pipeline
from forge.work.pipelines.engine.engine import Said, StepOutcome, overtaken
from forge.work.pipelines.engine.progress import Progress, Surroundings
from forge.work.pipelines.phases import DESIGN, DESIGN_REVIEW_MD, IMPLEMENTATION, TASKS
from forge.work.pipelines.pipelines import (
    PIPELINES_LISTED,
    FilesOn,
    LearnsFrom,
    PipelineItem,
    PipelineRowItem,
    PromptItem,
)
from forge.work.pipelines.prompts.prompts import ANY_TASK, Spawn, assemble, brief_of
from forge.work.pipelines.tasks import numbers_where
from forge.work.record import links

_REVISED = (DESIGN, TASKS, IMPLEMENTATION)
"""Phases whose result is changed where it was sent back."""


def open_for_step(ctx: Context, path: str, said: Said) -> OpenPipeline:
    """As it was when the call began: what was said then is not said to what is due now."""
    opened = open_pipeline(ctx, path)
    state = opened.state
    seen = ctx.memory.setdefault("pipeline", (state.action_number, state.action is None))
    is_said = said.report is not None or said.response is not None
    if is_said and seen != (state.action_number, state.action is None):
        message = "Somebody else was faster: another action is due now."
        raise overtaken(state, message, is_retryable=said.action_id is not None)
    return opened


def require_person(opened: OpenPipeline) -> None:
    """What a pipeline asks people is theirs to answer, unless the workspace leaves it to agents."""
    ctx, state = opened.ctx, opened.state
    if ctx.caller.agent_id is None or state.action is None or not state.action.waits_for_a_person:
        return
    if ctx.services.workspaces.get(ctx.caller.workspace_id).checkpoints_need_a_person:
        raise Forbidden(
            "A person answers this, not an agent.",
            hint=f"In the console, with `forge pipeline answer {state.path} OPTION`, or by accepting or "
            "declining the action request. Then call pipeline_next_action without user_response.",
            details={"actionRequestId": state.question_id, "options": state.action.options},
        )


def around(opened: OpenPipeline) -> Surroundings:
    page = links.pipeline_url(opened.ctx, opened.state.name)
    return Surroundings(opened.texts, opened.ctx.now(), opened.broken_rules, page)


def settle(ctx: Context, opened: OpenPipeline, outcome: StepOutcome) -> PromptItem | None:
    """The prompt that belongs to the action that is handed out, whether it is a new one or not."""
    prompt = opened.prompt
    if outcome.is_new and outcome.action and outcome.action.type is ActionType.SPAWN:
        prompt = _prompt(ctx, opened, outcome, outcome.action)
    new = prompt if outcome.is_new else None
    opened.readings.fetch(saving.needs(outcome.progress))
    saving.save(ctx, outcome.progress, readings=opened.readings, prompt=new)
    return prompt


def settle_progress(ctx: Context, opened: OpenPipeline, progress: Progress) -> PipelineItem:
    opened.readings.fetch(saving.needs(progress))
    return saving.save(ctx, progress, readings=opened.readings)


def exists(ctx: Context, name: str) -> bool:
    key = PipelineItem.at(ctx.caller.workspace_id, name)
    return ctx.table.find(PipelineItem, key) is not None


def listed(
    ctx: Context, asked: AskedPage, accepts: Callable[[PipelineRowItem], bool]
) -> Found[PipelineRowItem]:
    """A page of pipelines, the one that moved last first."""
    listing = one_partition(PIPELINES_LISTED(ctx.caller.workspace_id), "updated", is_descending=True)
    return read_page(ctx.table, PipelineRowItem, listing, asked, accepts=accepts)


def _files_of(action: Action) -> tuple[list[str], str]:
    """What is read and what is written; where several work at once, with what stands for their numbers."""
    if not action.shares:
        return action.input_files, action.output_file or ""
    share = action.shares[0]
    *inputs, output = (
        file.replace(f"-{share.id}.", f"-{ANY_TASK}.") for file in (*share.input_files, share.output_file)
    )
    return [*action.input_files, *inputs], output


def _prompt(ctx: Context, opened: OpenPipeline, outcome: StepOutcome, action: Action) -> PromptItem:
    state, progress = outcome.state, outcome.progress
    profile = opened.profile.profile if opened.profile else None
    agent = str(action.agent)
    known = knowledge.recall(
        ctx.table,
        state.workspace_id,
        agent=agent,
        about=f"{state.spec_name} {state.title}",
        profile=profile,
        repository=state.repository if state.learns_from is LearnsFrom.REPOSITORY else None,
    )
    findings: list[str] = []
    if DESIGN_REVIEW_MD in action.input_files and state.has(DESIGN_REVIEW_MD):
        findings = [one.description for one in verdicts.read(progress.text(DESIGN_REVIEW_MD)).findings]
    inputs, output = _files_of(action)
    spawn = Spawn(
        agent=agent,
        workspace=state.path,
        branch=state.branch,
        spec_name=state.spec_name,
        input_files=inputs,
        output_file=output,
        task=brief_of(state.tasks, action.task) if action.task else None,
        current_findings=findings,
        left_out=[
            brief_of(state.tasks, one) for one in numbers_where(state.tasks, lambda one: one.is_passed_over)
        ],
        is_on_disk=state.files is FilesOn.DISK,
        is_revision=action.phase in _REVISED and state.has(output),
    )
    made = assemble(spawn, known, outcome.feedback)
    kept = opened.prompt or PromptItem(
        workspace_id=state.workspace_id, pipeline=state.name, action_id="", prompt=""
    )
    return kept.changed(action_id=action.id, prompt=made.text, warning="; ".join(made.warnings))
