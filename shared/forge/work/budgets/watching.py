"""The sweep's look at a plan that runs: is it within its budget, and does it get on?"""

from typing import TYPE_CHECKING

from forge.context import Context
from forge.store.keys import Key
from forge.store.places import due_attributes
from forge.work.budgets import enforcing, limits
from forge.work.log import acting
from forge.work.log.events import record
from forge.work.orchestration import orchestration_keys
from forge.work.orchestration.goals import GoalItem
from forge.work.plans.announcements import PLAN_STALLED, PlanStalled
from forge.work.plans.plans import PlanItem

if TYPE_CHECKING:
    from forge.work.log.sweep import Sweep


def look(sweep: "Sweep", key: Key) -> bool:
    """Decide again, on the plan as it is; whether anything became of it."""
    plan = sweep.store.table.find(PlanItem, key)
    if plan is None or plan.look_at is None or plan.look_at > sweep.now:
        return False
    ctx = acting.context_of_nobody(sweep, plan.workspace_id)
    if enforcing.stop_if_exceeded(ctx, plan.id):
        return True
    stall = limits.stall(plan)
    is_told = stall is not None and not limits.is_told(plan)
    # Nothing of the plan itself has changed, and its time of change decides whether this is told again.
    after = plan.changed(stalled_at=plan.updated_at) if is_told else plan
    after = after.changed(look_at=limits.look_at(after, _goal_of(ctx, plan), sweep.now))
    tx = ctx.plan()
    tx.adjust(
        plan.key,
        assign={
            "look_at": after.look_at,
            "stalled_at": after.stalled_at,
            **due_attributes(plan.key, after.look_at),
        },
        equal={"version": plan.version, "look_at": plan.look_at},
    )
    if stall is not None and is_told:
        told = PlanStalled(reason_code=stall.reason_code, reason=stall.reason, goal_id=plan.goal_id)
        record(tx, PLAN_STALLED, told, subject_id=plan.id, action="sweep", issue_id=plan.issue_id)
    ctx.commit()
    return is_told


def _goal_of(ctx: Context, plan: PlanItem) -> GoalItem | None:
    if plan.goal_id is None:
        return None
    return ctx.table.find(GoalItem, orchestration_keys.goal(plan.workspace_id, plan.goal_id))
