"""The rules of budgets: which cap was passed, what a yes adds to it, and when a plan is looked at again."""

from datetime import datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from math import ceil
from typing import NamedTuple

from forge.work.plans.goals.goals import GoalItem
from forge.work.plans.plans import AT_WORK, PlanItem, PlanStatus, Step, StepStatus
from forge.work.plans.rules import is_finished, ready

LOOKED_AT_EVERY = timedelta(minutes=10)
TOLD_AFTER = timedelta(minutes=1)
_JUST_AFTER = timedelta(seconds=1)
_EXACT = Decimal("0.000001")


class Cap(StrEnum):
    PLAN_COST = "plan-cost"
    GOAL_COST = "goal-cost"
    WALL_TIME = "wall-time"


class Spent(NamedTuple):
    """What all runs of a plan have cost, and those of all attempts at its goal."""

    plan: float = 0
    goal: float = 0


class Stall(NamedTuple):
    reason_code: str
    reason: str


def difference(before: float | None, after: float | None) -> Decimal:
    """By how much the cost of a run changed; exact, because many such numbers are added up."""
    return (Decimal(str(after or 0)) - Decimal(str(before or 0))).quantize(_EXACT)


def sum_of(total: float, amount: Decimal) -> float:
    """What a total will be, as exactly as the table adds."""
    return float(Decimal(str(total)) + amount)


def exceeded(plan: PlanItem, goal: GoalItem | None, spent: Spent, now: datetime) -> list[Cap]:
    """The budgets that are exceeded; one that is used up exactly is not."""
    found = []
    if plan.max_total_cost_usd is not None and spent.plan > plan.max_total_cost_usd:
        found.append(Cap.PLAN_COST)
    if goal is not None and goal.max_total_cost_usd is not None and spent.goal > goal.max_total_cost_usd:
        found.append(Cap.GOAL_COST)
    end = end_of(plan)
    if end is not None and now > end:
        found.append(Cap.WALL_TIME)
    return found


def reason(cap: Cap, plan: PlanItem, goal: GoalItem | None, spent: Spent) -> str:
    """In words."""
    if cap is Cap.PLAN_COST:
        return f"The plan has cost ${spent.plan:.2f} of at most ${plan.max_total_cost_usd:.2f}."
    if cap is Cap.GOAL_COST and goal is not None:
        return (
            f"All attempts at the goal have cost ${spent.goal:.2f} of at most ${goal.max_total_cost_usd:.2f}."
        )
    return f"The plan has run for more than {plan.max_wall_time_minutes} minutes."


def extended(
    plan: PlanItem, goal: GoalItem | None, caps: list[Cap], spent: Spent, *, now: datetime
) -> tuple[PlanItem, GoalItem | None]:
    """Each cap that was passed is higher by what it was at first, and time counts anew.

    Where more was spent than that, by as much several times: a yes lets the plan go on, and not be stopped
    once more by what was spent before it.
    """
    plan = plan.changed(wall_time_from=now)
    if Cap.PLAN_COST in caps:
        plan = plan.changed(**_raised(plan.max_total_cost_usd, plan.granted_cost_usd, spent.plan))
    if goal is not None and Cap.GOAL_COST in caps:
        goal = goal.changed(**_raised(goal.max_total_cost_usd, goal.granted_cost_usd, spent.goal))
    return plan, goal


def stall(plan: PlanItem) -> Stall | None:
    """Why a plan does not get on by itself; None while it does, or where it need not."""
    if plan.status is not PlanStatus.RUNNING or is_finished(plan) or ready(plan):
        return None
    at_work = [step for step in plan.steps if step.status in AT_WORK]
    if any(not is_nobodys(plan, step) for step in at_work):
        return None
    reviewed = [step for step in plan.steps if step.status is StepStatus.REVIEW]
    if any(step.gate_id is None for step in reviewed):
        # Somebody was called to judge it, and is waited for.
        return None
    if reviewed:
        return Stall("review_without_reviewer", f"Nobody judges step {reviewed[0].title!r}.")
    if at_work:
        return Stall("no_progress_path", f"Nobody is there to do step {at_work[0].title!r}.")
    return Stall("no_progress_path", "No step is at work, and none can begin.")


def is_nobodys(plan: PlanItem, step: Step) -> bool:
    """Whether a step is ready and its crew had nobody for it; what has no crew is begun by whoever looks."""
    has_somebody = step.assigned_agent_id or step.assigned_user_id
    return plan.crew_id is not None and step.status is StepStatus.READY and not has_somebody


def is_told(plan: PlanItem) -> bool:
    """Whether somebody heard that it does not get on, and nothing has changed since."""
    return plan.stalled_at == plan.updated_at


def next_look(plan: PlanItem, goal: GoalItem | None, now: datetime) -> datetime | None:
    """When the sweep has to look at it again."""
    if plan.status is not PlanStatus.RUNNING:
        return None
    moments = []
    if has_budget(plan, goal) or has_workers(plan):
        moments.append(now + LOOKED_AT_EVERY)
    end = end_of(plan)
    if end is not None:
        moments.append(end + _JUST_AFTER)
    if stall(plan) and not is_told(plan):
        moments.append(now + TOLD_AFTER)
    return min(moments, default=None)


def has_workers(plan: PlanItem) -> bool:
    """Whether agents carry out steps of it, or should: they may be gone, and others there, by and by."""
    steps = plan.steps
    return any(one.status in AT_WORK and (one.assigned_agent_id or is_nobodys(plan, one)) for one in steps)


def has_budget(plan: PlanItem, goal: GoalItem | None) -> bool:
    caps = (plan.max_total_cost_usd, plan.max_wall_time_minutes, goal.max_total_cost_usd if goal else None)
    return caps != (None, None, None)


def end_of(plan: PlanItem) -> datetime | None:
    """By when a plan must be done."""
    if plan.max_wall_time_minutes is None:
        return None
    begun = plan.wall_time_from or plan.started_at or plan.created_at
    return begun + timedelta(minutes=plan.max_wall_time_minutes)


def _raised(cap: float | None, granted: float, spent: float) -> dict[str, object]:
    last, had = Decimal(str(cap or 0)), Decimal(str(granted))
    first, used = last - had, Decimal(str(spent))
    # Where nothing was granted at first, what was spent is all that a yes can be to.
    more = first * max(1, ceil((used - last) / first)) if first > 0 else max(first, used - last)
    return {"max_total_cost_usd": float(last + more), "granted_cost_usd": float(had + more)}
