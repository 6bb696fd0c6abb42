"""What a plan or a goal has cost so far: apart from it, because many runs add to it at once."""

from forge.store.items import Item
from forge.store.keys import At
from forge.work.plans.goals.goals import OF_GOAL
from forge.work.plans.plans import OF_PLAN


class PlanCostItem(Item):
    stored = At(OF_PLAN, "COST")

    workspace_id: str
    plan_id: str
    total_cost_usd: float = 0


class GoalCostItem(Item):
    stored = At(OF_GOAL, "COST")

    workspace_id: str
    goal_id: str
    total_cost_usd: float = 0
