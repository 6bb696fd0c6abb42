"""Waiting for a step to be judged: its reviewer is called again, and then people."""

from forge.context import Context
from forge.store.transactions import Transaction
from forge.work.plans.announcements import PLAN_STALLED, PlanStalled
from forge.work.plans.changes import PlanChange
from forge.work.plans.goals import roles
from forge.work.plans.opening import open_plan
from forge.work.plans.plans import PlanItem, StepStatus
from forge.work.plans.saving import save, settled
from forge.work.plans.waits.waits import Stage, WaitItem, wait_id

SILENCE = "Nobody judged step {title!r} in an hour. Approve it if it is as it should be."


class StepJudging:
    """For `forge.work.waiting`."""

    def outcome(self, ctx: Context, wait: WaitItem) -> str | None:
        plan = ctx.table.find(PlanItem, PlanItem.at(wait.workspace_id, wait.plan_id))
        return outcome_of(plan, wait)

    def reach(self, ctx: Context, tx: Transaction, wait: WaitItem, stage: Stage) -> None:
        change = PlanChange(open_plan(ctx, wait.plan_id))
        step, desk = change.plan.step(wait.subject_id), change.desk
        desk.readings.fetch([*desk.keys_of_crew(), *change.keys_to_call(step)])
        if stage is Stage.REDISPATCHED:
            change.call_judge(step, roles.judge_of(change.plan, step, desk.crew, desk.is_at_work))
        else:
            change.open_gate(step, SILENCE.format(title=step.title))
            told = PlanStalled(
                reason_code="review_without_reviewer",
                reason=f"Nobody judges step {step.title!r}.",
                goal_id=change.plan.goal_id,
            )
            change.announce(PLAN_STALLED, told, action="escalate", subject_id=change.plan.id)
        save(tx, settled(change))


def outcome_of(plan: PlanItem | None, wait: WaitItem) -> str | None:
    """What the step came to since this turn of its review began."""
    if plan is None or wait.subject_id not in {one.id for one in plan.steps}:
        return "GONE"
    step = plan.step(wait.subject_id)
    is_this_turn = wait.id == wait_id(step.id, step.reviews)
    return None if step.status is StepStatus.REVIEW and is_this_turn else step.status.value
