"""Approving a plan: to what a yes is one, what whoever decides is shown, and what a yes does.

An approval is an action request whose source is the plan; whoever asks for it binds it to the plan's steps.
"""

import json
from hashlib import sha256

from forge.context import Context
from forge.store.keys import Key
from forge.store.readings import Readings
from forge.work.issues.changes import IssueChange
from forge.work.orchestration.costs import PlanCostItem
from forge.work.orchestration.deciders import REPLACED
from forge.work.plans import moving, plan_keys
from forge.work.plans.announcements import PLAN
from forge.work.plans.changes import PlanChange
from forge.work.plans.opening import desk_of
from forge.work.plans.plans import NOT_BEGUN, PlanItem
from forge.work.requests.requests import RequestItem

_MOST_SHOWN = 60


def keys_of(request: RequestItem) -> list[Key]:
    """The plan that a request is about, and what it has cost."""
    if request.source_type != PLAN or not request.source_id:
        return []
    workspace_id, plan_id = request.workspace_id, request.source_id
    return [plan_keys.plan(workspace_id, plan_id), plan_keys.plan_cost(workspace_id, plan_id)]


def plan_in(readings: Readings, request: RequestItem) -> PlanItem | None:
    """None where the request is about none, or about one that is not there."""
    places = keys_of(request)
    return readings.find(PlanItem, places[0]) if places else None


def state_of(plan: PlanItem) -> str:
    """Stands for everything that a yes lets happen: another step is another plan."""
    steps = [
        [one.id, one.title, one.depends_on, one.assigned_agent_id, one.assigned_user_id, one.assigned_role]
        for one in plan.steps
    ]
    shown = [plan.id, steps, plan.crew_id, plan.max_total_cost_usd, plan.max_wall_time_minutes]
    return sha256(json.dumps(shown).encode()).hexdigest()[:32]


def steps_as_text(plan: PlanItem) -> str:
    """The steps in their order, each with what it waits for."""
    lines = []
    for place, step in enumerate(plan.steps[:_MOST_SHOWN]):
        after = ", ".join(str(one + 1) for one in step.depends_on)
        lines.append(f"{place + 1}. {step.title[:120]}{f' (after {after})' if after else ''}")
    left = len(plan.steps) - _MOST_SHOWN
    return "\n".join([*lines, f"… and {left} more."] if left > 0 else lines)


def said_beyond(body: str | None, plan: PlanItem) -> str | None:
    """What a request says beyond the steps that its card shows, as they are or were before more came."""
    return None if body and steps_as_text(plan).startswith(body) else body


def effect_of(plan: PlanItem, readings: Readings) -> str:
    """What accepting does, for its card."""
    cost = readings.find(PlanCostItem, plan_keys.plan_cost(plan.workspace_id, plan.id))
    spent = f"${cost.total_cost_usd if cost else 0:.2f} spent so far"
    most = f" of at most ${plan.max_total_cost_usd:.2f}" if plan.max_total_cost_usd is not None else ""
    return f"Lets {plan.title!r} run, {spent}{most}. Its steps:\n{steps_as_text(plan)}"


def is_current(plan: PlanItem) -> bool:
    """Whether it is the attempt that counts, or one at no goal."""
    return plan.goal_id is None or plan.is_active_attempt


def since(plan: PlanItem | None, request: RequestItem) -> list[str]:
    """What happened to the plan that whoever decides should know."""
    if plan is None:
        return ["The plan is not there any more."] if keys_of(request) else []
    found = []
    if plan.status not in NOT_BEGUN:
        found.append(f"The plan is {plan.status} already.")
    if not is_current(plan):
        found.append(REPLACED)
    if plan.updated_at > request.created_at:
        found.append("The plan changed after this was asked.")
    return found


def activation(
    ctx: Context, request: RequestItem, readings: Readings, *, issue: IssueChange | None
) -> PlanChange | None:
    """What a yes does to the plan, as part of the change of its issue; one request."""
    plan = plan_in(readings, request)
    if plan is None:
        return None
    change = PlanChange(desk_of(ctx, plan.id, readings), issue)
    if plan.approval_id == request.id:
        # Settled by this very yes, and not in vain.
        change.set(approval_id=None)
    moving.activate(change)
    return change
