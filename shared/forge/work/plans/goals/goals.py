"""Goals: what a crew is to achieve, by one attempt after another."""

from datetime import datetime
from enum import StrEnum

from forge.errors import Conflict, NotFound, PreconditionFailed
from forge.store.items import Item
from forge.store.keys import At, Partition
from forge.store.places import In
from forge.work.record.texts import KeptText

MOST_PLANS = 20
"""Attempts at one goal: giving it up ends all of them in one transaction."""


class GoalStatus(StrEnum):
    OPEN = "OPEN"
    PLANNING = "PLANNING"
    ACTIVE = "ACTIVE"
    ACHIEVED = "ACHIEVED"
    ABANDONED = "ABANDONED"


OVER = frozenset({GoalStatus.ACHIEVED, GoalStatus.ABANDONED})

OF_GOAL = Partition("WS#{workspace_id}#GOAL#{goal_id}")
GOALS_LISTED = Partition("WS#{workspace_id}#UPDATED#GOAL")


class GoalItem(Item):
    stored = At(OF_GOAL, "META", goal_id="id")
    indexed = (In("updated", GOALS_LISTED, "{updated_at}#{id}"),)

    workspace_id: str
    id: str
    title: str
    status: GoalStatus = GoalStatus.OPEN
    issue_id: str | None = None
    initiative_id: str | None = None
    crew_id: str | None = None
    created_by_id: str | None = None
    created_by_agent_id: str | None = None
    max_total_cost_usd: float | None = None
    max_wall_time_minutes: int | None = None
    granted_cost_usd: float = 0
    """How much of its cap was added by people who let a plan go on."""
    plan_ids: list[str] = []
    """Every attempt at it, the oldest first."""
    active_plan_id: str | None = None
    created_at: datetime
    updated_at: datetime
    started_at: datetime | None = None
    achieved_at: datetime | None = None
    archived_at: datetime | None = None

    @property
    def is_over(self) -> bool:
        return self.status in OVER


class GoalTextItem(Item):
    """What is long; apart from the head, because lists read that."""

    stored = At(OF_GOAL, "TEXT")

    workspace_id: str
    goal_id: str
    description: KeptText


class GoalCostItem(Item):
    # Apart from the goal, because many runs add to it at once.
    stored = At(OF_GOAL, "COST")

    workspace_id: str
    goal_id: str
    total_cost_usd: float = 0


def require_open(goal: GoalItem) -> None:
    if goal.is_over:
        raise Conflict(
            f"This goal is {goal.status}.", hint="Create another one with goals.create to go on from here."
        )


def with_plan(goal: GoalItem, plan_id: str, *, is_active: bool) -> GoalItem:
    """The goal with one more attempt, which may be the one that counts from now on."""
    if len(goal.plan_ids) >= MOST_PLANS:
        raise PreconditionFailed(
            f"A goal has at most {MOST_PLANS} plans.",
            hint="Abandon it with goals.abandon, and create a smaller one.",
        )
    active = plan_id if is_active else goal.active_plan_id
    return goal.changed(plan_ids=[*goal.plan_ids, plan_id], active_plan_id=active)


def no_such_goal(goal_id: str) -> NotFound:
    return NotFound(
        f"There is no goal {goal_id[:60]!r}.", hint="goals.list shows those that this key can see."
    )
