"""The runs' tools."""

from datetime import timedelta

from forge.context import Context
from forge.contract.models import Page
from forge.contract.terms import Actor, Effect, Scope
from forge.contract.tools import Namespace
from forge.errors import Conflict, InvalidInput
from forge.store import issue_keys
from forge.store.keys import Key
from forge.work import events, listing, runs
from forge.work.changes import IssueChange
from forge.work.events import EventKind, Wake
from forge.work.run_views import RunRow, run_row
from forge.work.runs import RunStatus
from functions.runs import repository
from functions.runs.models import (
    CompletedRun,
    CompleteRun,
    Kick,
    KickRun,
    ListRuns,
    RecordUsage,
    ResumeWork,
    RunState,
    SetWaiting,
    UsageView,
)
from functions.runs.rules import completion, gates

QUIET = timedelta(minutes=5)
WAITING_REASON = "Waiting on operator"

namespace = Namespace("runs", "See what agents are doing for issues, and say how far your own work is.")


@namespace.tool(scopes=[Scope.READ_ISSUES], effect=Effect.READ_ONLY)
def list(request: ListRuns, ctx: Context) -> Page[RunRow]:
    """List runs, those that started last first: of everybody, one agent, or one issue.

    Example: {"status": "ACTIVE", "limit": 20}
    """
    shown = listing.chosen(RunRow, request.fields)
    found, issues, names = repository.read_list(ctx, request)
    rows = [run_row(run, issues[run.issue_id], names) for run in found.items]
    return listing.page_of(found, rows, kind=Page[RunRow], fields=shown)


@namespace.tool(
    scopes=[Scope.WRITE_ISSUES],
    effect=Effect.MUTATING,
    actor=Actor.AGENT,
    idempotent=True,
    name="recordUsage",
    asks=["how many tokens did I use", "report costs"],
)
def record_usage(request: RecordUsage, ctx: Context) -> UsageView:
    """Report what your run has used so far, also after its end: totals, of which the latest count.

    Example: {"runId": "run_01J…", "tokensIn": 48210, "tokensOut": 3901, "costUsd": 0.2714}
    """
    usage = request.model_dump(exclude={"run_id"}, exclude_none=True)
    if not usage:
        raise InvalidInput(
            "There is nothing to record.",
            issues={"arguments": "Give tokensIn, tokensOut, tokensCached or costUsd."},
        )
    run, _ = repository.open_own(ctx, request.run_id)
    used = run.changed(**usage)
    if used != run:
        with ctx.transaction() as tx:
            tx.replace(used)
            events.record_change(
                tx, *runs.subject(run), action="record-usage", before=run, after=used, issue_id=run.issue_id
            )
    return UsageView.of(used)


@namespace.tool(
    scopes=[Scope.WRITE_ISSUES],
    effect=Effect.MUTATING,
    actor=Actor.AGENT,
    asks=["I am done", "finish my work", "hand in the result"],
)
def complete(request: CompleteRun, ctx: Context) -> CompletedRun:
    """End your run with a report; the issue keeps its status, unless done work goes to review here.

    Needs a summary; in RESEARCH confidence, in REVIEW a verdict, in EXECUTE a result for each item of the
    checklist and an artifact if the issue requires one.
    Example: {"runId": "run_01J…", "summary": "Fixed the timeout.",
    "verificationResult": [{"label": "Tests pass", "done": true}]}
    """

    def parts(issue_id: str) -> tuple[Key, ...]:
        workspace_id = ctx.caller.workspace_id
        body = issue_keys.body(workspace_id, issue_id)
        return (body, *gates.keys_of_artifacts(workspace_id, request))

    run, desk = repository.open_own(ctx, request.run_id, parts)
    runs.require_live(run)
    gates.require_all(desk, run, request=request)
    status = completion.review_status(desk, run)
    if status:
        desk.fetch(completion.others_to_tell(desk))
    with ctx.transaction() as tx:
        ended = completion.complete(IssueChange(desk, tx), run, request=request, status=status)
    said = request.model_dump(include={"summary", "verification_result", "follow_ups"})
    return CompletedRun.of(ended, **said)


@namespace.tool(
    scopes=[Scope.WRITE_ISSUES],
    effect=Effect.MUTATING,
    actor=Actor.AGENT,
    name="setWaiting",
    asks=["I need help from a human", "I am stuck", "pause my work"],
)
def set_waiting(request: SetWaiting, ctx: Context) -> RunState:
    """Say that your run waits for somebody; `blocking` alerts the operators.

    runs.resumeWork or a comment of yours ends the waiting.
    Example: {"runId": "run_01J…", "reason": "Which schema?", "blocking": true}
    """
    run, _ = repository.open_own(ctx, request.run_id)
    runs.require_live(run)
    reason = request.reason or WAITING_REASON
    with ctx.transaction() as tx:
        waiting = run.changed(status=RunStatus.WAITING, current_step=reason, last_event_at=tx.origin.now)
        tx.replace(waiting)
        runs.note(tx, run, "WAITING", {"reason": reason, "blocking": request.blocking})
        events.record(
            tx,
            EventKind.AGENT_RUN_BLOCKED if request.blocking else None,
            subject=runs.subject(run),
            action="wait",
            payload=runs.identity(run) | {"reason": reason},
            before=run,
            after=waiting,
            issue_id=run.issue_id,
        )
    return RunState.of(waiting)


@namespace.tool(
    scopes=[Scope.WRITE_ISSUES],
    effect=Effect.MUTATING,
    actor=Actor.AGENT,
    name="resumeWork",
    asks=["continue where I stopped", "go on after waiting"],
)
def resume_work(request: ResumeWork, ctx: Context) -> RunState:
    """Say that you work on: your run is active again, and you have just been heard of.

    A run that is over is a conflict: a comment on the issue begins a new one.
    Example: {"runId": "run_01J…", "currentStep": "Writing the migration"}
    """
    run, _ = repository.open_own(ctx, request.run_id)
    runs.require_live(run)
    with ctx.transaction() as tx:
        active = run.changed(
            status=RunStatus.ACTIVE,
            current_step=request.current_step or run.current_step,
            last_event_at=tx.origin.now,
        )
        tx.replace(active)
        runs.note(tx, run, "RESUMED", {"currentStep": active.current_step})
        events.record_change(
            tx, *runs.subject(run), action="resume", before=run, after=active, issue_id=run.issue_id
        )
    return RunState.of(active)


@namespace.tool(scopes=[Scope.WRITE_ISSUES], effect=Effect.EXTERNAL_EXEC)
def kick(request: KickRun, ctx: Context) -> Kick:
    """Nudge the agent of a run that has been quiet for five minutes: it is told again, nothing else changes.

    A run that was heard of since is left alone (`kicked` is false); one that is not ACTIVE is a conflict.
    Example: {"runId": "run_01J…"}
    """
    run, _ = repository.open_run(ctx, request.run_id)
    if run.status is not RunStatus.ACTIVE:
        raise Conflict(
            f"This run is {run.status}: only an ACTIVE run can be kicked.",
            hint="Mention the agent of a WAITING run in a comment; issues.assign begins a new run.",
        )
    idle = max(ctx.now() - run.last_event_at, timedelta(0))
    idle_ms = idle // timedelta(milliseconds=1)
    if idle < QUIET:
        return Kick(kicked=False, idle_ms=idle_ms)
    told = {"idleMs": idle_ms, "currentStep": run.current_step, "via": "mcp"}
    with ctx.transaction() as tx:
        events.record(
            tx,
            EventKind.AGENT_RUN_KICKED,
            subject=runs.subject(run),
            action="kick",
            payload=runs.identity(run) | told,
            issue_id=run.issue_id,
            wakes=[Wake(agent_id=run.agent_id, run_id=run.id)],
        )
    return Kick(kicked=True, idle_ms=idle_ms)
