"""What is told of goals, of plans and their steps, and of the gates at which they wait."""

from typing import Annotated

from pydantic import Field

from forge.contract.effects import Emission, Told
from forge.work.record.log.kinds import EventKind

PLAN = "execution-plan"
STEP = "execution-step"


class GoalCreated(Told):
    goal_title: str
    issue_id: str | None
    crew_id: str | None


class GoalMoved(Told):
    """`planId` where an attempt at it began or came to its end; `reason` where it was given up."""

    from_: Annotated[str, Field(alias="from")]
    to: str
    reason: str | None = None
    plan_id: str | None = None


class GateChanged(Told):
    """`decision` where somebody decided."""

    action: str
    gate_target_type: str
    gate_target_id: str
    status: str
    decision: str | None = None


class PlanMade(Told):
    title: str
    step_count: int
    goal_id: str | None
    issue_id: str | None


class PlannerCalled(Told):
    """What the planner needs to begin; of a long description only the beginning."""

    action: str
    goal_id: str
    goal_title: str
    goal_description: str | None
    planner_agent_id: str | None
    prompt: str


class StepsAdded(Told):
    step_count: int


class PlanMoved(Told):
    from_: Annotated[str, Field(alias="from")]
    to: str
    goal_id: str | None


class PlanAttached(Told):
    goal_id: str
    is_active_attempt: bool


class StepMoved(Told):
    plan_id: str
    from_: Annotated[str, Field(alias="from")]
    to: str


class StepReady(Told):
    """Of long texts only the beginning. `phase` is "judge" where the step is to be judged."""

    plan_id: str
    step_id: str
    title: str
    body: str | None
    expected_output: str | None
    verification: list[str]
    assigned_agent_id: str | None
    last_feedback: str | None
    retry_count: int
    phase: str | None = None
    judge_agent_id: str | None = None
    prompt: str | None = None


class StepJudged(Told):
    plan_id: str
    verdict: str
    feedback: str
    score: float | None
    outcome: str
    retry_count: int


class BudgetExceeded(Told):
    total_cost_usd: float
    max_total_cost_usd: float | None
    max_wall_time_minutes: int | None
    reason: str
    goal_id: str | None


class PlanStalled(Told):
    reason_code: str
    reason: str
    goal_id: str | None


GOAL_CREATED = Emission(EventKind.GOAL_CREATED, "goal", GoalCreated)
GOAL_MOVED = Emission(EventKind.GOAL_STATUS_CHANGED, "goal", GoalMoved)
GATE_CHANGED = Emission(EventKind.ISSUE_UPDATED, "review-gate", GateChanged)
PLAN_MADE = Emission(EventKind.ISSUE_UPDATED, PLAN, PlanMade)
PLANNER_CALLED = Emission(EventKind.ISSUE_UPDATED, PLAN, PlannerCalled)
STEPS_ADDED = Emission(EventKind.ISSUE_UPDATED, PLAN, StepsAdded)
PLAN_MOVED = Emission(EventKind.ISSUE_UPDATED, PLAN, PlanMoved)
PLAN_ATTACHED = Emission(EventKind.ISSUE_UPDATED, PLAN, PlanAttached)
STEP_MOVED = Emission(EventKind.ISSUE_UPDATED, STEP, StepMoved)
STEP_READY = Emission(EventKind.EXECUTION_STEP_READY, STEP, StepReady)
STEP_JUDGED = Emission(EventKind.EXECUTION_STEP_JUDGED, STEP, StepJudged)
PLAN_OVER_BUDGET = Emission(EventKind.PLAN_BUDGET_EXCEEDED, PLAN, BudgetExceeded)
PLAN_STALLED = Emission(EventKind.PLAN_STALLED, PLAN, PlanStalled)
