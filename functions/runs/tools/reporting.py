"""Lists of runs, and what an agent says of its own: how it goes, what it costs, that it is done."""

from datetime import timedelta

from forge.context import Context
from forge.contract.effects import FILTERED, Cost
from forge.contract.guards import Guarded, settles_nothing
from forge.contract.models import Page
from forge.contract.terms import Actor, Effect, EngagementMode
from forge.errors import Conflict, InvalidInput
from forge.store.transactions import overtaken
from forge.work.content.artifacts import artifacts
from forge.work.content.artifacts.announcements import ARTIFACT_WRITTEN
from forge.work.content.artifacts.artifacts import ArtifactItem
from forge.work.issues import heads
from forge.work.issues.announcements import ISSUE_MOVED
from forge.work.issues.claims import holds
from forge.work.issues.pages.listing import Pager
from forge.work.issues.runs import runs, silence
from forge.work.issues.runs.announcements import (
    RUN_ENDED,
    RUN_KICKED,
    RUN_STARTED,
    RunKicked,
)
from forge.work.issues.runs.runs import RunStatus
from forge.work.issues.runs.views import RunRow, run_row
from forge.work.plans.announcements import GATE_CHANGED, PLAN_MOVED, PLAN_OVER_BUDGET, STEP_MOVED, STEP_READY
from forge.work.plans.budgets import allowances
from forge.work.record.log import events
from forge.work.record.log.rows import Wake
from functions.runs.models.reporting import (
    CompletedRun,
    CompleteRun,
    Kick,
    KickRun,
    ListRuns,
    RecordUsage,
    UsageView,
)
from functions.runs.repository import reporting as repository
from functions.runs.rules import reporting as rules
from functions.runs.tools import namespace

QUIET = timedelta(minutes=5)


@namespace.reads(
    costs=Cost(reads=2).up_to(reads=6, because=FILTERED),
    asks=[
        "who is working on what",
        "past and present runs",
        "what has an agent done",
        "runs of an issue",
        "which agents are stuck and need a person",
        "what agents are busy with",
        "what is being worked on",
        "earlier runs",
    ],
)
def list(request: ListRuns, ctx: Context) -> Page[RunRow]:
    """List runs, those that started last first: of everybody, one agent, or one issue.

    Example: {"status": "ACTIVE", "limit": 20}
    """
    pager = Pager(Page[RunRow], request.fields)
    found, issues, names = repository.read_list(ctx, request)
    return pager.page(found, lambda run: run_row(run, issues[run.issue_id], names))


@namespace.writes(
    for_runs=True,
    actor=Actor.AGENT,
    idempotent=True,
    name="recordUsage",
    costs=Cost(reads=6, writes=1, items=12).up_to(reads=9, items=31, because="a spent budget stops a plan"),
    emits=[PLAN_OVER_BUDGET, PLAN_MOVED, GATE_CHANGED],
    guards=(settles_nothing("what costs too much stops and waits for people", Guarded.PLAN, Guarded.GATE),),
    asks=["how many tokens did I use", "report costs", "what did it cost", "bill"],
)
def record_usage(request: RecordUsage, ctx: Context) -> UsageView:
    """Report what your run has used so far, also after its end: totals, of which the latest count.

    Example: {"runId": "run_01J…", "tokensIn": 48210, "costUsd": 0.27}
    """
    usage = request.model_dump(exclude={"run_id"}, exclude_none=True)
    if not usage:
        raise InvalidInput(
            "There is nothing to record.",
            issues={"arguments": "Give tokensIn, tokensOut, tokensCached, costUsd or turns."},
        )
    run, desk = repository.open_own(ctx, request.run_id)
    used, charged = run.changed(**usage), None
    if used != run:
        tx = ctx.plan()
        heads.keep_claim(tx, desk.issue)
        if run.status is RunStatus.ACTIVE:
            # Whoever spends tokens is at work.
            heard = used.changed(last_event_at=tx.origin.now, called_at=None)
            used = silence.still_watched(run, heard, desk.workspace)
        charged = repository.charged_with_usage(ctx, run, used)
        repository.save_usage(tx, run, used, charged=charged)
    plan = charged.change.plan if charged else None
    return UsageView.of(used, stop=allowances.stop_of(desk.workspace, used, ctx.now(), plan=plan))


@namespace.writes(
    for_runs=True,
    ungated="Every run ends; what only EXECUTE may do with that is refused to others.",
    actor=Actor.AGENT,
    costs=Cost(reads=7, writes=1, items=24).up_to(reads=11, writes=2, items=87, because="other steps begin"),
    emits=[
        RUN_ENDED,
        ISSUE_MOVED,
        RUN_STARTED,
        ARTIFACT_WRITTEN,
        STEP_MOVED,
        STEP_READY,
        GATE_CHANGED,
        PLAN_OVER_BUDGET,
        PLAN_MOVED,
    ],
    guards=(settles_nothing("others judge it", Guarded.STEP, Guarded.PLAN, Guarded.GATE),),
    asks=["I am done", "finish my work", "hand in the result", "deliver", "final report", "end my run"],
)
def complete(request: CompleteRun, ctx: Context) -> CompletedRun:
    """End your run with a report, and with its evidence, its cost and where the issue goes, in one call.

    Needs a summary; RESEARCH also confidence, REVIEW a verdict, EXECUTE a result for each item of the
    checklist and an artifact if the issue requires one. EXECUTE takes the issue out of the queue.
    Example: {"runId": "run_01J…", "summary": "Fixed the timeout.", "transitionTo": "Done"}
    """
    run, desk, expected = repository.open_reported(ctx, request.run_id, request.produced_artifact_ids)
    runs.require_live(run)
    rules.require_work(run)
    asked = {"artifact": request.artifact, "transitionTo": request.transition_to}
    rules.require_execution(run, given=asked)
    if rules.ends_work(run):
        holds.require_no_others_claim(desk)
    made = repository.artifact_of(ctx, desk, request.artifact)
    report = _report(request, made)
    rules.require_all(run.engagement_mode, expected.with_artifact(made), report)
    change, status = repository.begin_completion(desk, run, request.transition_to)
    used = request.usage.model_dump(exclude_none=True) if request.usage else {}
    is_auto = request.transition_to is None
    rules.complete(change, run, report, status=status, is_auto=is_auto, usage=used)
    tx = ctx.plan()
    if made and request.artifact:
        version = artifacts.written(ctx, made, request.artifact.body)
        artifacts.add(tx, made, version, desk=desk, action="create", changes_issue=True)
    # Who comes second finds it here; decided again, the run is over.
    tx.create(repository.text_of(ctx, run, request), refusal=overtaken)
    if run.engagement_mode is EngagementMode.EXECUTE:
        # The checklist changes without the head; one that was not looked at must not pass.
        tx.check(repository.body_of(desk))
    repository.save_with_plan(tx, change, repository.charged_at_end(change, run))
    said = request.model_dump(include={"summary", "verification_result", "follow_ups"})
    return CompletedRun.of(change.ended[0], **said)


@namespace.tool(
    effect=Effect.EXTERNAL_EXEC,
    costs=Cost(reads=2, writes=1, items=3),
    emits=[RUN_KICKED],
    asks=["an agent does not answer", "remind an agent", "restart a stalled run"],
)
def kick(request: KickRun, ctx: Context) -> Kick:
    """Nudge the agent of a run that has been quiet for five minutes: it is told again, nothing else changes.

    A run that was heard of since is left alone (`kicked` is false); one that is not ACTIVE is a conflict.
    Example: {"runId": "run_01J…"}
    """
    run, _ = repository.open_run(ctx, request.run_id)
    if run.status is not RunStatus.ACTIVE:
        raise Conflict(
            f"This run is {run.status}: only an ACTIVE run can be kicked.",
            hint="Mention the agent in a comment: it is woken, with a new run if this one is over.",
        )
    idle = max(ctx.now() - run.last_event_at, timedelta(0))
    idle_ms = idle // timedelta(milliseconds=1)
    if idle < QUIET:
        return Kick(kicked=False, idle_ms=idle_ms)
    told = RunKicked(**runs.identity(run), idle_ms=idle_ms, current_step=run.current_step, via="mcp")
    events.record(
        ctx.plan(),
        RUN_KICKED,
        told,
        subject_id=run.id,
        action="kick",
        issue_id=run.issue_id,
        wakes=[Wake(agent_id=run.agent_id, run_id=run.id)],
    )
    return Kick(kicked=True, idle_ms=idle_ms)


def _report(request: CompleteRun, made: ArtifactItem | None) -> rules.RunReport:
    return rules.RunReport(
        summary=request.summary,
        artifact_ids=[*request.produced_artifact_ids, *([made.id] if made else [])],
        results=[one.model_dump() for one in request.verification_result],
        follow_ups=[one.model_dump() for one in request.follow_ups],
        confidence=request.confidence,
        verdict=request.verdict,
    )
