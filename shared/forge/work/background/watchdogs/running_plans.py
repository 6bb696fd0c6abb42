"""The sweep's look at a plan that runs: is it within its budget, is its crew there, and does it get on?"""

from forge.context import Context
from forge.store.keys import Key
from forge.store.places import due_attributes
from forge.work.plans import charges, moves
from forge.work.plans.announcements import PLAN_STALLED, PlanStalled
from forge.work.plans.budgets import limits
from forge.work.plans.changes import PlanChange
from forge.work.plans.goals import roles
from forge.work.plans.goals.goals import GoalItem
from forge.work.plans.opening import PlanDesk, open_plan
from forge.work.plans.plans import AT_WORK, PlanItem, PlanStatus, Step
from forge.work.plans.rules import MOST_READY
from forge.work.plans.saving import save, settled
from forge.work.record.log.events import record
from forge.work.workspace.people.agents import AgentItem
from forge.work.workspace.workers import Worker


def look(worker: Worker, key: Key) -> bool:
    """Decide again, on the plan as it is; whether anything became of it."""
    plan = worker.store.table.find(PlanItem, key)
    if plan is None or plan.look_at is None or plan.look_at > worker.now:
        return False
    ctx = worker.context(plan.workspace_id)
    if charges.stop_if_exceeded(ctx, plan.id) or _is_handed_over(ctx, plan):
        return True
    stall = limits.stall(plan)
    is_told = stall is not None and not limits.is_told(plan)
    # Nothing of the plan itself has changed, and its time of change decides whether this is told again.
    after = plan.changed(stalled_at=plan.updated_at) if is_told else plan
    place = GoalItem.at(plan.workspace_id, plan.goal_id) if plan.goal_id else None
    goal = ctx.table.find(GoalItem, place) if place else None
    after = after.changed(look_at=limits.next_look(after, goal, worker.now))
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


def _is_handed_over(ctx: Context, plan: PlanItem) -> bool:
    """Steps whose agent is gone, and those that nobody was there for, go to whoever is; whether any did."""
    if not limits.has_workers(plan):
        return False
    desk = open_plan(ctx, plan.id)
    at_work = [one for one in desk.plan.steps if one.status in AT_WORK]
    agents = [AgentItem.at(plan.workspace_id, one.assigned_agent_id or "-") for one in at_work]
    desk.readings.fetch([*desk.keys_of_crew(), *agents])
    left = [one.id for one in at_work if _is_left(desk, one)][:MOST_READY]
    if not left or desk.plan.status is not PlanStatus.RUNNING:
        return False
    change = PlanChange(desk)
    moves.hand_over(change, left)
    save(ctx.plan(), settled(change))
    ctx.commit()
    return True


def _is_left(desk: PlanDesk, step: Step) -> bool:
    if step.assigned_agent_id:
        return desk.agent(step.assigned_agent_id) is None
    found = roles.worker_of(step, desk.crew, desk.agent)
    return limits.is_nobodys(desk.plan, step) and found is not None
