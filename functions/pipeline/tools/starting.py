"""Beginning a pipeline: what was typed, what is known of it, and what a person confirms."""

from hashlib import sha256
from typing import Any

from forge.context import Context
from forge.contract.effects import FILTERED, Cost
from forge.contract.guards import Guarded, settles_nothing
from forge.contract.models import Page
from forge.errors import InvalidInput
from forge.store.pages import Portion
from forge.work.issues.pages.listing import Pager
from forge.work.pipelines import phases
from forge.work.pipelines.announcements import PIPELINE_MOVED
from forge.work.pipelines.desk import saving
from forge.work.pipelines.desk.opening import require_whole_sight
from forge.work.pipelines.engine.progress import Progress, Surroundings
from forge.work.pipelines.learning.packs import told_by
from forge.work.pipelines.phases import BY_ID, SKIPPED, TEMPLATES, Effort
from forge.work.pipelines.pipelines import FOLDER, PipelineItem, PipelineSource
from functions.pipeline import estimates, repository
from functions.pipeline.models.external import external_of
from functions.pipeline.models.starting import (
    Begun,
    Confirmation,
    EffortOption,
    EstimateView,
    FlagsView,
    Init,
    Initialised,
    InitWithContext,
    ListPipelines,
    NeedsConfirmation,
    NeedsDiscussion,
    PipelineRow,
    SkippedPhase,
)
from functions.pipeline.rules import arguments, fetching, listing, starting
from functions.pipeline.rules.starting import Start
from functions.pipeline.tools import namespace

_MOST_CANDIDATES = 5
_BEGAN_BEFORE = "You began this before and it is not over: go on with pipeline_next_action."


@namespace.reads(
    costs=Cost().up_to(reads=4, because="a workspace that is named, or nearly, is looked for"),
    asks=["start a pipeline", "begin a pipeline", "pipeline for an issue", "run the pipeline on an issue"],
)
def pipeline_init(request: Init, ctx: Context) -> Initialised:
    """Find out what was typed to begin a pipeline: a text, an issue's URL, or a workspace to resume.

    Nothing is stored. Flags: --auto, --nopr, --debug, --discuss, --effort=S|M|L. What can't be used comes
    back as `errors`. Fetch what `fetch_needed` names, then call pipeline_init_with_context.
    Example: {"arguments": "https://github.com/owner/repo/issues/42 --auto", "current_branch": "main"}
    """
    require_whole_sight(ctx.caller)
    try:
        typed = arguments.parse(request.arguments)
    except arguments.Unusable as unusable:
        return Initialised(errors=[str(unusable)])
    if typed.resumed and repository.exists(ctx, typed.resumed):
        instruction = "call state_resume_info"
        return Initialised(resume_mode="auto", workspace=FOLDER + typed.resumed, instruction=instruction)
    candidates = _candidates(ctx, typed.resumed) if typed.resumed else {}
    if typed.is_path:
        unknown = f"there is no workspace {typed.core_text[:120]!r} to resume"
        return Initialised(errors=[unknown], **candidates)
    name = arguments.name_of(typed.core_text, ctx.now())
    source, more = typed.source, candidates
    if source.id and source.url:
        fetch = fetching.needed(source)
        more |= {"source_url": source.url, "source_id": source.id, "fetch_needed": fetch}
    return Initialised(
        workspace=FOLDER + name,
        spec_name=arguments.spec_name_of(name),
        source_type=source.type,
        core_text=typed.core_text,
        task_text=arguments.without_url(typed.core_text),
        flags=FlagsView(**typed.flags._asdict(), current_branch=request.current_branch or None),
        **more,
    )


@namespace.reads(
    costs=Cost(reads=1).up_to(reads=3, because=FILTERED),
    asks=["which pipelines are there", "pipelines that are open", "my pipelines", "find a pipeline"],
)
def pipeline_list(request: ListPipelines, ctx: Context) -> Page[PipelineRow]:
    """List pipelines, the one that moved last first: open ones, your own, or all.

    To go on with one, pass its workspace to pipeline_next_action. Example: {"status": "open", "mine": true}
    """
    require_whole_sight(ctx.caller)
    pager = Pager(Page[PipelineRow], request.fields)
    found = repository.listed(ctx, request, listing.wanted_by(request, ctx.caller))
    return pager.page(found, lambda row: PipelineRow.of(row, workspace=row.path))


@namespace.writes(
    costs=Cost(reads=1, writes=1, items=6).up_to(reads=2, because="a past that is long is read on"),
    emits=[PIPELINE_MOVED],
    guards=(settles_nothing("it only begins", Guarded.PIPELINE),),
    asks=[
        "confirm the effort of a pipeline",
        "discussion answers of a pipeline",
        "create a pipeline workspace",
    ],
)
def pipeline_init_with_context(request: InitWithContext, ctx: Context) -> Begun:
    """Begin a pipeline in two or three calls: see what it takes, answer questions, confirm.

    Without user_confirmation it says what a person has to confirm (or asks, with the discuss flag) and
    stores nothing. With it the pipeline begins: then call pipeline_next_action. A workspace that exists gets
    a suffix. Example: {"workspace": ".specs/20260401-login", "task_text": "Add a login page",
    "user_confirmation": {"effort": "M"}}
    """
    require_whole_sight(ctx.caller)
    answers = (request.discussion_answers or "").strip()
    confirmed = request.user_confirmation
    starting.require_one_path(has_answers=bool(answers), has_confirmation=confirmed is not None)
    override, _ = starting.effort_said("flags.effort_override", request.flags.effort_override)
    if confirmed is not None:
        return _begin(ctx, request, confirmed)
    flags = request.flags
    is_text = external_of(request.external_context, request.source_url).is_empty
    if flags.discuss and not flags.auto and is_text and not answers:
        message = "Please answer the following questions, then call again with discussion_answers."
        return Begun(needs_discussion=NeedsDiscussion(questions=[*starting.QUESTIONS], message=message))
    return Begun(needs_user_confirmation=_to_confirm(ctx, request, answers, override=override))


def _candidates(ctx: Context, name: str) -> dict[str, Any]:
    """Those of late, as far as one request goes: it only helps to find one. Where there is none, nothing."""
    found = repository.listed(ctx, Portion(_MOST_CANDIDATES), listing.is_like(name))
    rows = [PipelineRow.of(row, workspace=row.path) for row in found.items]
    return {"candidates": rows} if rows else {}


def _to_confirm(
    ctx: Context, request: InitWithContext, answers: str, *, override: Effort | None
) -> NeedsConfirmation:
    external = external_of(request.external_context, request.source_url)
    task_text = arguments.without_url(request.task_text or "")
    effort = starting.effort_of(external, task_text, override)
    body = starting.request_text(external, task_text)
    body = starting.enriched(body, answers) if answers else body
    branch = request.flags.current_branch or ""
    options = {
        one.value: EffortOption(
            skipped_phases=[SkippedPhase(phase_id=skip, label=BY_ID[skip].label) for skip in SKIPPED[one]],
            recommended=one is effort,
        )
        for one in Effort
    }
    current = f"the current branch {branch!r}" if branch else "the current branch"
    message = (
        f'Detected effort="{effort}". Ask the person for S, M or L, and whether to use {current}; then call '
        "again with user_confirmation and this enriched_request_body."
    )
    needs_slug = starting.lacks_a_name(request.workspace.removeprefix(FOLDER), external, request.source_id)
    if needs_slug:
        message += " The text gives no name for it: give workspace_slug, two to five English words."
    expected = estimates.estimate(estimates.recent(ctx.table, ctx.caller.workspace_id), effort)
    return NeedsConfirmation(
        detected_effort=effort,
        effort_options=options,
        current_branch=branch,
        is_main_branch=starting.is_main(branch),
        enriched_request_body=body or None,
        message=message,
        needs_workspace_slug=needs_slug or None,
        estimate=EstimateView.of_past(expected) if expected else None,
        estimate_display=expected.line if expected else None,
    )


def _begin(ctx: Context, request: InitWithContext, confirmed: Confirmation) -> Begun:
    effort, words = starting.effort_said("user_confirmation.effort", confirmed.effort)
    if effort is None:
        raise InvalidInput("No effort.", issues={"user_confirmation.effort": "S, M or L."})
    start = _start(request, confirmed, words)
    wanted = _state(ctx, request, confirmed, start, effort)
    namesakes = _namesakes(ctx, wanted)
    again = next((one for one in namesakes if one and starting.is_same(one, wanted)), None)
    if again is not None:
        return _begun(again, start, warning=_BEGAN_BEFORE)
    number = starting.free_place(namesakes)
    start = starting.namesake(start, number)
    state = _state(ctx, request, confirmed, start, effort)
    progress = Progress(state, Surroundings({}, ctx.now()))
    progress.write(phases.REQUEST_MD, start.request_md)
    progress.happen("pipeline-init", phases.SETUP, outcome="ready", detail=effort)
    saving.add(ctx, ctx.plan(), progress)
    return _begun(state, start, warning=start.warning)


def _begun(state: PipelineItem, start: Start, *, warning: str) -> Begun:
    return Begun(
        ready=True,
        workspace=state.path,
        effort=state.effort,
        flow_template=TEMPLATES[state.effort],
        skipped_phases=state.skipped_phases,
        request_md_content=start.request_md,
        branch=state.branch or "",
        create_branch=not state.use_current_branch,
        **({"warning": warning} if warning else {}),
    )


def _start(request: InitWithContext, confirmed: Confirmation, words: str) -> Start:
    external = external_of(request.external_context, request.source_url)
    source = starting.source_in(external, request.source_url, request.source_id)
    name = starting.named(
        request.workspace.removeprefix(FOLDER),
        external,
        source_id=source.id,
        slug=confirmed.workspace_slug,
    )
    task_text = arguments.without_url(request.task_text or "")
    body = confirmed.enriched_request_body or starting.request_text(external, task_text)
    start = starting.begin(name, external, source, body=starting.with_words(body, words), task_text=task_text)
    if not confirmed.use_current_branch:
        return start
    current = request.flags.current_branch or ""
    starting.require_side_branch(current, skip_pr=request.flags.skip_pr, offered=start.branch)
    return start._replace(branch=current, creates_branch=False)


def _namesakes(ctx: Context, wanted: PipelineItem) -> list[PipelineItem | None]:
    """The pipelines that have this name or one of its numbered variants, None where free; one request."""
    places = [PipelineItem.at(wanted.workspace_id, name) for name in starting.names_like(wanted.name)]
    known = ctx.table.read(places)
    return [known.find(PipelineItem, place) for place in places]


def _state(
    ctx: Context, request: InitWithContext, confirmed: Confirmation, start: Start, effort: Effort
) -> PipelineItem:
    caller, now, flags = ctx.caller, ctx.now(), request.flags
    return PipelineItem(
        workspace_id=caller.workspace_id,
        name=start.name,
        spec_name=arguments.spec_name_of(start.name),
        title=told_by(start.request_md)[0],
        effort=effort,
        branch=start.branch or None,
        source_type=PipelineSource(start.source.type),
        source_url=start.source.url,
        source_id=start.source.id,
        repository=request.repository or arguments.repository_in(start.source.url),
        learns_from=request.learn_from,
        files=request.files,
        auto_approve=flags.auto,
        skip_pr=flags.skip_pr,
        debug=flags.debug,
        request_sha=sha256(start.request_md.encode()).hexdigest(),
        use_current_branch=confirmed.use_current_branch,
        skipped_phases=[*SKIPPED[effort]],
        created_by_user_id=None if caller.agent_id else caller.user_id,
        created_by_agent_id=caller.agent_id,
        created_at=now,
        updated_at=now,
    )
