"""The loop: what is due, what came of it, where it stands, and giving up."""

from forge.context import Context
from forge.contract.effects import Cost
from forge.contract.guards import Decider, Guarded, decided_by, settles_nothing
from forge.errors import InvalidInput
from forge.work.pipelines import artifacts
from forge.work.pipelines.announcements import PIPELINE_MOVED
from forge.work.pipelines.desk.opening import open_pipeline
from forge.work.pipelines.engine import engine
from forge.work.pipelines.engine.engine import Said
from forge.work.pipelines.engine.reporting import Report
from forge.work.pipelines.verdicts import Finding
from forge.work.plans.requests.announcements import REQUEST_RAISED, REQUEST_SETTLED
from functions.pipeline import repository
from functions.pipeline.models.stepping import (
    Abandon,
    Abandoned,
    ActionView,
    GetPrompt,
    NextAction,
    PromptView,
    ReportedResult,
    ReportResult,
    Resumed,
    ResumeInfo,
)
from functions.pipeline.rules import views
from functions.pipeline.tools import namespace


@namespace.writes(
    costs=Cost(reads=3, writes=1, items=11).up_to(reads=8, items=61, because="an end is learned from"),
    emits=[PIPELINE_MOVED, REQUEST_RAISED, REQUEST_SETTLED],
    guards=(decided_by(Decider.ANSWERER, Guarded.PIPELINE, Guarded.REQUEST),),
    asks=["what does the pipeline do next", "go on with a pipeline", "answer a checkpoint of a pipeline"],
)
def pipeline_next_action(request: NextAction, ctx: Context) -> ActionView:
    """Report the previous action of a pipeline, or answer its question, and get what is due now.

    Do what `type` says: spawn_agent (give `prompt` to an agent; parallel_tasks: each its own, at once), exec
    or write_file, then call again with previous_action_complete and previous_action_id; checkpoint and
    human_gate: a person answers, with user_response or elsewhere, then call again; done: it is over; empty:
    show the findings in report_result, then call again. Asking again gives the same action. Artifacts go
    along or through pipeline_put_artifact. A report that lacks its artifact or verdict is refused.
    Example: {"workspace": ".specs/20260401-login", "previous_action_complete": true,
    "previous_action_id": "act-1"}
    """
    said = Said(
        report=_report(request),
        # Some clients fill what they leave out with an empty text.
        action_id=request.previous_action_id or None,
        response=request.user_response or None,
        feedback=request.user_feedback,
        artifacts=_given(request),
    )
    opened = repository.open_for_step(ctx, request.workspace, said)
    if said.response is not None:
        repository.require_person(opened)
    outcome = engine.step(opened.state, repository.around(opened), said)
    prompt = repository.settle(ctx, opened, outcome)
    return views.action_view(outcome, prompt, is_whole=request.prompt)


@namespace.writes(
    costs=Cost(reads=2, writes=1, items=7).up_to(reads=4, items=61, because="an end is learned from"),
    emits=[PIPELINE_MOVED],
    guards=(settles_nothing("what waits for a person takes no report", Guarded.PIPELINE),),
    asks=["result of a pipeline phase", "a phase of a pipeline is finished"],
)
def pipeline_report_result(request: ReportResult, ctx: Context) -> ReportedResult:
    """Report the action that is due, without asking for the next: its artifact is looked at, then it counts.

    next_action_hint: proceed, setup_continue, or revision_required with the findings. A phase that is not
    due is a conflict and changes nothing. To report and go on in one call, use pipeline_next_action.
    Example: {"workspace": ".specs/20260401-login", "phase": "phase-3", "tokens_used": 15000}
    """
    tokens, duration = round(request.tokens_used), round(request.duration_ms)
    report = Report(tokens, duration, request.model, is_of_setup=request.setup_only)
    said = Said(report=report, action_id=request.action_id or None, phase=request.phase)
    opened = repository.open_for_step(ctx, request.workspace, said)
    outcome = engine.report_result(opened.state, repository.around(opened), said)
    repository.settle(ctx, opened, outcome)
    return views.reported_result(outcome)


@namespace.reads(
    costs=Cost(reads=1),
    asks=["prompt of an agent of a pipeline", "what shall the agent of a pipeline do"],
)
def pipeline_get_prompt(request: GetPrompt, ctx: Context) -> PromptView:
    """Get the whole prompt of the agent that a pipeline has just started: for that agent, not for its caller.

    Of several at once, `task` says which. An action that is over is a conflict.
    Example: {"workspace": ".specs/20260401-login", "action_id": "act-3", "task": "2"}
    """
    opened = open_pipeline(ctx, request.workspace)
    due, prompt = opened.state.action, opened.prompt
    if due is None or prompt is None or not due.id == prompt.action_id == request.action_id:
        raise engine.overtaken(opened.state, f"{request.action_id} is not what is due, or starts no agent.")
    return views.prompt_view(opened.state, due, prompt, request.task)


@namespace.reads(
    costs=Cost(reads=1),
    asks=[
        "how far is a pipeline",
        "resume a pipeline",
        "current phase of a pipeline",
        "phase that a pipeline is in",
        "where is a pipeline",
    ],
    aliases=("resume_info",),
)
def state_resume_info(request: ResumeInfo, ctx: Context) -> Resumed:
    """Show where a pipeline stands: its phase, tasks, what it took, and the action that is due.

    To go on with it, use pipeline_next_action. Example: {"workspace": ".specs/20260401-login"}
    """
    return views.resumed(open_pipeline(ctx, request.workspace).state)


@namespace.writes(
    idempotent=True,
    destructive=True,
    costs=Cost(reads=2, writes=1, items=10).up_to(items=13, because="a question to people is closed with it"),
    emits=[PIPELINE_MOVED, REQUEST_SETTLED],
    guards=(decided_by(Decider.ANSWERER, Guarded.PIPELINE, Guarded.REQUEST),),
    asks=["give up a pipeline", "stop a pipeline for good", "cancel a pipeline"],
)
def pipeline_abandon(request: Abandon, ctx: Context) -> Abandoned:
    """End a pipeline that shall not go on; its artifacts stay. A completed one is a conflict.

    While it asks a person, only people end it.
    Example: {"workspace": ".specs/20260401-login", "reason": "Not needed any more."}
    """
    opened = open_pipeline(ctx, request.workspace)
    repository.require_person(opened)
    progress = engine.abandon(opened.state, repository.around(opened), request.reason)
    state = repository.settle_progress(ctx, opened, progress)
    return Abandoned(workspace=state.path, current_phase_status=state.status)


def _report(request: NextAction) -> Report | None:
    took = (request.previous_tokens, request.previous_duration_ms)
    is_told = any(took) or request.previous_model or request.previous_cost_usd
    if not (request.previous_action_complete or is_told):
        return None
    tokens, duration = map(round, took)
    findings = tuple(Finding(one.severity, one.description) for one in request.findings)
    return Report(
        tokens,
        duration,
        request.previous_model,
        request.verdict,
        findings,
        request.previous_setup_only,
        request.previous_cost_usd,
    )


def _given(request: NextAction) -> list[tuple[str, str]]:
    files = {artifacts.named(one.name, request.workspace): one.content for one in request.artifacts}
    if len(files) != len(request.artifacts):
        raise InvalidInput("An artifact is given twice.", issues={"artifacts": "Give each name once."})
    for name, content in files.items():
        artifacts.require_writable(name, field="artifacts")
        artifacts.require_inline(content)
    return [*files.items()]
