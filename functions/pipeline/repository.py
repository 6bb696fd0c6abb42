"""A step of a pipeline from what is stored to what is stored then, with the prompt of whoever is spawned."""

from forge.context import Context
from forge.errors import Forbidden
from forge.work.pipelines import verdicts
from forge.work.pipelines.actions import Action, ActionType
from forge.work.pipelines.desk import saving
from forge.work.pipelines.desk.opening import OpenPipeline, open_pipeline
from forge.work.pipelines.engine.engine import Said, StepOutcome, overtaken
from forge.work.pipelines.engine.progress import Progress, Surroundings
from forge.work.pipelines.learning import knowledge
from forge.work.pipelines.phases import DESIGN_REVIEW_MD
from forge.work.pipelines.pipelines import PipelineItem, PromptItem
from forge.work.pipelines.prompts.prompts import Spawn, TaskBrief, assemble
from forge.work.pipelines.tasks import numbers_where


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
    return Surroundings(opened.texts, opened.ctx.now(), opened.broken_rules)


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


def _prompt(ctx: Context, opened: OpenPipeline, outcome: StepOutcome, action: Action) -> PromptItem:
    state, progress = outcome.state, outcome.progress
    profile = opened.profile.profile if opened.profile else None
    agent = str(action.agent)
    known = knowledge.recall(
        ctx.table, state.workspace_id, agent=agent, spec_name=state.spec_name, profile=profile
    )
    task = state.tasks.get(action.task) if action.task else None
    findings: list[str] = []
    if DESIGN_REVIEW_MD in action.input_files and state.has(DESIGN_REVIEW_MD):
        findings = [one.description for one in verdicts.read(progress.text(DESIGN_REVIEW_MD)).findings]
    spawn = Spawn(
        agent=agent,
        workspace=state.path,
        branch=state.branch,
        spec_name=state.spec_name,
        input_files=action.input_files,
        output_file=action.output_file,
        task=TaskBrief(str(action.task), task.title, task.files) if task else None,
        current_findings=findings,
        left_out=[
            TaskBrief(number, state.tasks[number].title, state.tasks[number].files)
            for number in numbers_where(state.tasks, lambda one: one.is_passed_over)
        ],
    )
    made = assemble(spawn, known, outcome.feedback)
    kept = opened.prompt or PromptItem(
        workspace_id=state.workspace_id, pipeline=state.name, action_id="", prompt=""
    )
    return kept.changed(action_id=action.id, prompt=made.text, warning="; ".join(made.warnings))
