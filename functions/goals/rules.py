"""How far a goal is."""

from collections.abc import Sequence

from forge.work.plans.plans import PlanItem, StepStatus, status_of
from functions.goals.models import Aggregate


def aggregate(plans: Sequence[PlanItem]) -> Aggregate:
    """Of the attempt that counts, else of the newest; of none, zeros. `plans` begin with the oldest."""
    active = next((one for one in plans if one.is_active_attempt), None)
    plan = active or (plans[-1] if plans else None)
    statuses = [status_of(plan, one) for one in plan.steps] if plan else []
    return Aggregate(
        active_plan_id=active.id if active else None,
        total_steps=len(statuses),
        done_steps=statuses.count(StepStatus.DONE),
        blocked_steps=statuses.count(StepStatus.BLOCKED),
    )
