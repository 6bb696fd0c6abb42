"""Waiting for somebody, and going on."""

from forge.context import Context
from forge.contract.effects import KEPT_UP, Cost
from forge.contract.terms import Actor
from forge.work.issues import heads
from forge.work.issues.runs import runs, silence
from forge.work.issues.runs.announcements import RUN, RUN_BLOCKED, RunBlocked
from forge.work.overviews.tasks import awaiting
from forge.work.record.log import events
from functions.runs.models.waiting import ResumeWork, RunState, SetWaiting, WaitingRun
from functions.runs.repository import reporting
from functions.runs.repository import waiting as repository
from functions.runs.rules import waiting as rules
from functions.runs.tools import namespace

WAITING_REASON = "Waiting on operator"


@namespace.writes(
    for_runs=True,
    actor=Actor.AGENT,
    name="setWaiting",
    costs=Cost(reads=2, writes=1, items=7).up_to(items=10, because=KEPT_UP),
    emits=[RUN_BLOCKED],
    asks=[
        "I need help from a human",
        "I am stuck",
        "pause my work",
        "I can't go on",
        "wait until somebody approves",
        "somebody has to decide",
    ],
)
def set_waiting(request: SetWaiting, ctx: Context) -> WaitingRun:
    """Say that your run waits for somebody; `blocking` alerts operators.

    An answer, a comment of yours or runs.resumeWork ends that.
    Example: {"runId": "run_01J…", "reason": "Which schema?"}
    """
    run, desk, asked = repository.open_waiting(ctx, request)
    reason = request.reason or WAITING_REASON
    tx = ctx.plan()
    is_awaited = awaiting.is_awaited(ctx, is_wanted=request.wait)
    waiting = rules.waiting(run, request, reason=reason, now=ctx.now(), is_awaited=is_awaited)
    tx.replace(waiting)
    repository.keep_meanwhile(tx, desk, waiting, asked)
    if request.blocking:
        told = RunBlocked(**runs.identity(run), reason=reason)
        events.record(
            tx,
            RUN_BLOCKED,
            told,
            subject_id=run.id,
            action="wait",
            before=run,
            after=waiting,
            issue_id=run.issue_id,
        )
    else:
        events.record_change(tx, RUN, run.id, action="wait", before=run, after=waiting, issue_id=run.issue_id)
    return WaitingRun.of(waiting, waits=awaiting.waits_for_run(ctx, waiting))


@namespace.writes(
    for_runs=True,
    actor=Actor.AGENT,
    name="resumeWork",
    costs=Cost(reads=2, writes=1, items=3).up_to(items=6, because=KEPT_UP),
    asks=[
        "continue where I stopped",
        "go on after waiting",
        "the answer has come",
        "nothing holds me up any more",
        "I can go on now",
        "I was blocked and am not any more",
    ],
)
def resume_work(request: ResumeWork, ctx: Context) -> RunState:
    """Say that you work on: your run is active again, and you have just been heard of.

    A run that is over is a conflict: a comment on the issue begins a new one.
    Example: {"runId": "run_01J…", "currentStep": "Writing the migration"}
    """
    run, desk = reporting.open_own(ctx, request.run_id)
    runs.require_live(run)
    if request.only_if_called:
        rules.require_called(run, ctx.now())
    tx = ctx.plan()
    heads.keep_claim(tx, desk.issue)
    resumed = run.resumed(tx.origin.now, current_step=request.current_step)
    active = silence.still_watched(run, resumed, desk.workspace)
    tx.replace(active)
    events.record_change(tx, RUN, run.id, action="resume", before=run, after=active, issue_id=run.issue_id)
    return RunState.of(active)
