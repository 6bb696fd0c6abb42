"""Charging plans and goals for what runs cost, and stopping a plan that passes a cap.

What a run costs is added in the transaction of its report, and a plan that this alone brings beyond its
budget stops in it, too. What several add at the same moment is seen right after, on what everybody together
added; the sweep sees it where nobody lives to look.
"""

from collections.abc import Iterable
from contextlib import suppress
from decimal import Decimal

from forge.context import Context
from forge.errors import DomainError
from forge.store.keys import Key
from forge.store.transactions import Transaction, VersionMoved
from forge.work.issues.desks import settings_key
from forge.work.plans.announcements import PLAN_OVER_BUDGET, BudgetExceeded
from forge.work.plans.budgets import limits
from forge.work.plans.budgets.allowances import OfPlan
from forge.work.plans.budgets.limits import Cap, Spent
from forge.work.plans.changes import PlanChange
from forge.work.plans.goals.goals import GoalCostItem, GoalItem
from forge.work.plans.opening import PlanDesk, desk_of
from forge.work.plans.plans import PlanCostItem, PlanItem, PlanStatus
from forge.work.plans.saving import save, settled

_MOST_TRIES = 3
_LEAST = Decimal("0.0000005")
"""Less than any difference: what is only reached is not passed."""


def charge(tx: Transaction, plan: PlanItem, amount: Decimal) -> None:
    """Add to what a plan, and all attempts at its goal, have cost; many do at once."""
    if amount:
        for place in _costs_of(plan):
            tx.adjust(place, add={"total_cost_usd": amount})


def charge_within(tx: Transaction, change: PlanChange, amount: Decimal) -> None:
    """The same where the plan was found to go on: if others have spent what was left, it is decided again."""
    if amount <= 0 or change.plan.status is not PlanStatus.RUNNING:
        charge(tx, change.plan, amount)
        return
    goal = change.goal
    caps = (change.plan.max_total_cost_usd, goal.max_total_cost_usd if goal else None)
    for place, cap in zip(_costs_of(change.plan), caps, strict=False):
        room = None if cap is None else {"total_cost_usd": float(Decimal(str(cap)) - amount + _LEAST)}
        tx.adjust(place, add={"total_cost_usd": amount}, below=room)


def may_exceed(plan: PlanItem) -> bool:
    """Whether it has a budget, or may have one by its goal."""
    return plan.goal_id is not None or limits.has_budget(plan, None)


def enforce(ctx: Context, plan_id: str) -> None:
    """See whether a plan may go on, on what everybody together added.

    The report was taken, whatever becomes of this: the plan is due, and the sweep looks at it too.
    """
    with suppress(DomainError):
        for _ in range(_MOST_TRIES):
            with suppress(VersionMoved):
                stop_if_exceeded(ctx, plan_id)
                return


def enforce_after(ctx: Context, plan: PlanItem) -> None:
    """Have `enforce` look at a running plan once this call is committed."""
    if "enforced" not in ctx.memory and may_exceed(plan) and plan.status is PlanStatus.RUNNING:
        # A handler may run several times, and its end comes once.
        ctx.memory["enforced"] = plan.id
        ctx.at_end = (*ctx.at_end, lambda: enforce(ctx, plan.id) if ctx.has_committed else None)


def stop_ahead(change: PlanChange, amount: Decimal) -> None:
    """Stop a running plan that this added cost brings beyond its budget; one request."""
    if not may_exceed(change.plan) or change.plan.status is not PlanStatus.RUNNING:
        return
    change.desk.readings.fetch(_costs_of(change.plan))
    known = spent_in(change.desk)
    spent = Spent(limits.sum_of(known.plan, amount), limits.sum_of(known.goal, amount))
    caps = limits.exceeded(change.plan, change.goal, spent, change.now)
    if caps:
        _stop(change, caps[0], spent)


def stop_if_exceeded(ctx: Context, plan_id: str) -> bool:
    """Stop a plan that runs and is beyond its budget; whether it was. Two requests, and one more to stop."""
    desk, spent = open_spent(ctx, plan_id)
    caps = limits.exceeded(desk.plan, desk.goal, spent, ctx.now())
    if desk.plan.status is not PlanStatus.RUNNING or not caps:
        return False
    change = PlanChange(desk)
    _stop(change, caps[0], spent)
    # Not the call's own transaction: that may have failed, and must not be carried out here.
    tx = ctx.services.store.begin(ctx)
    save(tx, settled(change))
    ctx.services.store.commit(tx)
    return True


def open_spent(ctx: Context, plan_id: str, *, also: Iterable[Key] = ()) -> tuple[PlanDesk, Spent]:
    """A plan, and what it and its goal have cost; two requests."""
    place = PlanItem.at(ctx.caller.workspace_id, plan_id)
    known = ctx.table.read([place, settings_key(ctx)])
    plan = known.find(PlanItem, place)
    desk = desk_of(ctx, plan_id, known, also=[*(_costs_of(plan) if plan else ()), *also])
    return desk, spent_in(desk)


def spent_in(desk: PlanDesk) -> Spent:
    """What a plan and its goal have cost, of what the plan's desk has read."""
    own, *of_goal = _costs_of(desk.plan)
    plan_cost = desk.readings.find(PlanCostItem, own)
    goal_cost = desk.readings.find(GoalCostItem, of_goal[0]) if of_goal else None
    return Spent(plan_cost.total_cost_usd if plan_cost else 0, goal_cost.total_cost_usd if goal_cost else 0)


def of_plan(ctx: Context, plan: PlanItem) -> OfPlan:
    """A plan with its goal, and what both have cost; one request."""
    own, *of_goal = _costs_of(plan)
    goal = GoalItem.at(plan.workspace_id, plan.goal_id) if plan.goal_id else None
    known = ctx.table.read([own, *of_goal, *([goal] if goal else [])])
    cost = known.find(PlanCostItem, own)
    goal_cost = known.find(GoalCostItem, of_goal[0]) if of_goal else None
    spent = Spent(cost.total_cost_usd if cost else 0, goal_cost.total_cost_usd if goal_cost else 0)
    return OfPlan(plan, known.find(GoalItem, goal) if goal else None, spent)


def _costs_of(plan: PlanItem) -> list[Key]:
    own = PlanCostItem.at(plan.workspace_id, plan.id)
    return [own, GoalCostItem.at(plan.workspace_id, plan.goal_id)] if plan.goal_id else [own]


def _stop(change: PlanChange, cap: Cap, spent: Spent) -> None:
    plan, goal = change.plan, change.goal
    is_of_goal = cap is Cap.GOAL_COST and goal is not None
    why = limits.reason(cap, plan, goal, spent)
    told = BudgetExceeded(
        total_cost_usd=spent.goal if is_of_goal else spent.plan,
        max_total_cost_usd=goal.max_total_cost_usd if is_of_goal and goal else plan.max_total_cost_usd,
        max_wall_time_minutes=plan.max_wall_time_minutes,
        reason=why,
        goal_id=plan.goal_id,
    )
    change.move(PlanStatus.BLOCKED, action="block")
    change.announce(PLAN_OVER_BUDGET, told, action="exceed", subject_id=plan.id)
    change.open_plan_gate(f"{why} Approve to let it go on with as much again; reject to cancel it.")
