"""What can happen to a plan and to its steps, each as a rule on a change."""

from collections.abc import Iterable

from forge.context import Caller
from forge.errors import Conflict, Forbidden
from forge.work.plans import rules
from forge.work.plans.announcements import STEP_JUDGED, STEP_MOVED, StepJudged, StepMoved
from forge.work.plans.changes import TOLD_OF_TEXT, PlanChange
from forge.work.plans.goals import deciders
from forge.work.plans.goals.goals import GoalItem, GoalStatus
from forge.work.plans.plans import (
    AT_WORK,
    NOT_BEGUN,
    SETTLED,
    JudgeVerdict,
    PlanItem,
    PlanStatus,
    Step,
    StepStatus,
)
from forge.work.plans.rules import Judged, Verdict, VerdictOutcome
from forge.work.record.texts import KeptText

_NEVER_REVIEWED = frozenset({StepStatus.DONE, StepStatus.CANCELED, StepStatus.BLOCKED})

STEPS_AT_ONCE = 20
"""Whose runs can end in one transaction."""


def activate(change: PlanChange) -> None:
    """The plan runs from now on, and so does the goal that it is an attempt at."""
    plan = change.plan
    if plan.status not in NOT_BEGUN:
        raise Conflict(
            f"This plan is {plan.status}; only a DRAFT or APPROVED one can be activated.",
            hint="executionPlans.get shows how far it is.",
        )
    if not plan.steps:
        raise Conflict("This plan has no steps.", hint="Add them with plans.addSteps first.")
    require_may_start(change)
    require_current(plan, change.goal)
    change.move(PlanStatus.RUNNING, action="activate")
    change.set(started_at=change.now)
    if change.goal is not None:
        change.move_goal(GoalStatus.ACTIVE, started_at=change.goal.started_at or change.now)


def require_may_start(change: PlanChange) -> None:
    needs_a_person = change.desk.workspace.plans_need_a_person
    deciders.require_may_start(change.plan, change.caller, change.desk.crew, needs_a_person=needs_a_person)


def is_of_worker(step: Step, caller: Caller) -> bool:
    return caller.agent_id is not None and caller.agent_id == step.assigned_agent_id


def require_current(plan: PlanItem, goal: GoalItem | None) -> None:
    """An attempt at a goal that is over, or that another one took the place of, begins no more."""
    if goal is not None and (goal.is_over or not plan.is_active_attempt):
        raise Conflict(
            "This plan is no longer the attempt that counts.",
            hint="goals.get shows which one is (aggregate.activePlanId).",
        )


def transition(change: PlanChange, status: PlanStatus) -> None:
    """The plan alone, as somebody says: its steps go on by themselves only while it is RUNNING."""
    if change.plan.status is status:
        return
    require_going(change.plan)
    if status is PlanStatus.RUNNING:
        _require_going_on(change)
    if status is PlanStatus.APPROVED:
        require_may_start(change)
        if deciders.decides(change.caller, change.desk.crew):
            change.set(approved_by_id=change.caller.agent_id or change.caller.user_id)
    if status is PlanStatus.DRAFT:
        change.set(approved_by_id=None)
    change.move(status, action="transition")


def _require_going_on(change: PlanChange) -> None:
    """What was stopped goes on when a person says so; what never ran is activated, which begins its goal."""
    plan = change.plan
    if plan.status is not PlanStatus.BLOCKED or plan.started_at is None:
        raise Conflict(
            f"This plan is {plan.status} and does not begin like that.",
            hint="plans.activate lets a DRAFT or APPROVED plan run; set one that never ran to DRAFT first.",
        )
    deciders.require_may_resume(change.caller, change.desk.crew)
    require_current(plan, change.goal)


def cancel(change: PlanChange) -> None:
    """For good; its steps and their runs end afterwards."""
    if not change.plan.is_over:
        change.move(PlanStatus.CANCELED, action="cancel")


def replace_attempt(change: PlanChange) -> None:
    """Another attempt takes its place: what was begun of it ends, and a draft stays to be looked at."""
    if change.plan.status not in (PlanStatus.DRAFT, PlanStatus.COMPLETED, PlanStatus.CANCELED):
        cancel(change)
    change.set(is_active_attempt=False)


def move_step(change: PlanChange, step_id: str, status: StepStatus, *, source_run_id: str | None) -> None:
    """A step, as somebody says who may, from any status to any other."""
    require_going(change.plan)
    step = change.plan.step(step_id)
    if source_run_id is not None:
        change.set_step(step_id, source_run_id=source_run_id)
    if step.status is status:
        return
    deciders.require_may_unblock(step, change.caller, change.desk.crew)
    if status in SETTLED:
        deciders.require_may_end(change.plan, step, change.caller, change.desk.crew)
    if status in AT_WORK and step.status not in AT_WORK:
        _require_place(change)
    _move(change, step, status)


def bring_to_review(change: PlanChange, step_id: str, *, run_id: str) -> None:
    """The work on a step is done, and somebody has to judge it; one that is over stays so."""
    step = change.plan.step(step_id)
    if change.plan.is_over or step.status in _NEVER_REVIEWED:
        return
    change.set_step(step_id, source_run_id=run_id)
    if step.status is not StepStatus.REVIEW:
        _move(change, step, StepStatus.REVIEW)


def judge(
    change: PlanChange,
    step_id: str,
    verdict: Verdict,
    *,
    feedback: str,
    kept: KeptText | None,
    score: float | None,
) -> Judged:
    """A step is done, tried again, or left to people."""
    step, caller = change.plan.step(step_id), change.caller
    found = rules.judged(change.plan, step, verdict)
    change.set_step(step_id, status=found.status, retry_count=found.retry_count, judge_agent_id=None)
    said = JudgeVerdict(
        verdict=verdict,
        score=score,
        judged_by_id=None if caller.agent_id else caller.user_id,
        judged_by_agent_id=caller.agent_id,
        is_of_worker=is_of_worker(step, caller),
        judged_at=change.now,
    )
    has_failed = verdict is Verdict.FAIL
    text = change.text_of(step_id).changed(judge_verdict=said, judge_feedback=kept, has_failed=has_failed)
    change.texts[step_id] = text
    if found.outcome is VerdictOutcome.BLOCKED:
        change.stopped[step_id] = rules.asked_of_people(
            step.title, found.retry_count + 1, feedback[:TOLD_OF_TEXT]
        )
    told = StepJudged(
        plan_id=change.plan.id,
        verdict=verdict,
        feedback=feedback[:TOLD_OF_TEXT],
        score=score,
        outcome=found.outcome,
        retry_count=found.retry_count,
    )
    change.announce(STEP_JUDGED, told, action="judge", subject_id=step_id)
    return found


def require_nobody_else(reviewer_id: str | None, caller: Caller) -> None:
    """Refuse an agent that passes its own step where the crew has another reviewer."""
    if reviewer_id not in (None, caller.agent_id):
        raise Forbidden(
            "Who does a step does not pass it where its crew has another reviewer.",
            hint="runs.complete, or executionPlans.transitionStep to REVIEW, calls the reviewer.",
            details={"judgeAgentId": reviewer_id},
        )


def hand_over(change: PlanChange, step_ids: Iterable[str]) -> None:
    """Steps at work whose agent is gone, or that found none, begin anew with whoever is there."""
    for step_id in step_ids:
        change.set_step(step_id, status=StepStatus.READY, assigned_agent_id=None)
        change.handed_over.add(step_id)


def try_anew(change: PlanChange, step_id: str) -> None:
    """A step that failed too often gets all of its tries back."""
    change.set_step(step_id, retry_count=0)
    _move(change, change.plan.step(step_id), StepStatus.TODO)


def give_up(change: PlanChange) -> None:
    """The attempt that counted is given up: its goal waits for another one."""
    cancel(change)
    if change.plan.is_active_attempt and change.goal and not change.goal.is_over:
        change.move_goal(GoalStatus.OPEN)


def reap(change: PlanChange, *, most: int) -> int:
    """The next steps of a plan that was canceled are canceled themselves; how many."""
    left = _unsettled(change.plan)
    for step in left[:most]:
        change.set_step(step.id, status=StepStatus.CANCELED)
    return len(left[:most])


def reap_few(change: PlanChange) -> None:
    """The same at once for a plan whose steps fit into one transaction, with the runs that end."""
    if len(_unsettled(change.plan)) <= STEPS_AT_ONCE:
        reap(change, most=STEPS_AT_ONCE)


def _unsettled(plan: PlanItem) -> list[Step]:
    return [one for one in plan.steps if one.status not in (StepStatus.DONE, StepStatus.CANCELED)]


def require_going(plan: PlanItem) -> None:
    if plan.is_over:
        raise Conflict(
            f"This plan is {plan.status}, and stays so.",
            hint="plans.decompose {goalId} begins a new attempt.",
        )


def _move(change: PlanChange, step: Step, status: StepStatus) -> None:
    change.set_step(step.id, status=status)
    told = StepMoved(plan_id=change.plan.id, from_=step.status, to=status)
    change.announce(STEP_MOVED, told, action="move", subject_id=step.id)


def _require_place(change: PlanChange) -> None:
    load = change.load
    if load is None or change.plan.status is not PlanStatus.RUNNING:
        return
    if load.held_by(change.plan.id, rules.at_work(change.plan)).free(change.desk.max_parallel) == 0:
        raise Conflict(
            "The crew of this plan does as many steps at once as it may.",
            hint="The step becomes READY by itself; agentCrews.update raises maxParallel.",
        )
