"""What a plan or a goal has cost so far: apart from it, because many runs add to it at once."""

from forge.store.items import Item
from forge.store.keys import Key
from forge.work.plans import plan_keys
from forge.work.workspace.crews import orchestration_keys


class PlanCostItem(Item):
    workspace_id: str
    plan_id: str
    total_cost_usd: float = 0

    @property
    def key(self) -> Key:
        return plan_keys.plan_cost(self.workspace_id, self.plan_id)


class GoalCostItem(Item):
    workspace_id: str
    goal_id: str
    total_cost_usd: float = 0

    @property
    def key(self) -> Key:
        return orchestration_keys.goal_cost(self.workspace_id, self.goal_id)
