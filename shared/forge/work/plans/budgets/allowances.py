"""What one run may use: the least of what its workspace, its plan and its goal leave to it."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from enum import StrEnum
from math import floor
from typing import NamedTuple

from forge.contract.models import Model, Omittable
from forge.work.issues.runs.runs import RunItem
from forge.work.plans.budgets import limits
from forge.work.plans.budgets.limits import Spent
from forge.work.plans.goals.goals import GoalItem
from forge.work.plans.plans import PlanItem, PlanStatus
from forge.work.workspace.workspaces import WorkspaceItem


class RunLimits(Model):
    """Of one run, in all."""

    usd: Omittable[float] = None
    turns: Omittable[int] = None
    minutes: Omittable[int] = None


class Passed(StrEnum):
    """What a run has used up."""

    USD = "usd"
    TURNS = "turns"
    MINUTES = "minutes"
    TOKENS = "tokens"
    PLAN = "plan"


class Stop(Model):
    """The run must not go on: `reason` says what is used up."""

    reason: Passed


class OfPlan(NamedTuple):
    """The plan that a run works for, its goal, and what both have cost, this run included."""

    plan: PlanItem
    goal: GoalItem | None
    spent: Spent


def limits_of(workspace: WorkspaceItem, run: RunItem, of: OfPlan | None) -> RunLimits:
    usd, minutes = [workspace.run_cost_budget_usd], [workspace.run_max_minutes]
    if of is not None:
        own, goal = run.cost_usd or 0, of.goal
        usd.append(_left(of.plan.max_total_cost_usd, of.spent.plan, own))
        usd.append(_left(goal.max_total_cost_usd if goal else None, of.spent.goal, own))
        end = limits.end_of(of.plan)
        minutes.append(max(0, floor((end - run.started_at) / timedelta(minutes=1))) if end else None)
    return RunLimits(usd=_least(usd), turns=workspace.run_max_turns, minutes=_least(minutes))


def passed(workspace: WorkspaceItem, run: RunItem, now: datetime) -> Passed | None:
    """What the run itself has used up, as its workspace limits it; what was only reached was not passed."""
    tokens = (run.tokens_in or 0) + (run.tokens_out or 0)
    minutes = (now - run.started_at) / timedelta(minutes=1)
    used = (
        (Passed.USD, run.cost_usd or 0, workspace.run_cost_budget_usd),
        (Passed.TURNS, run.turns or 0, workspace.run_max_turns),
        (Passed.TOKENS, tokens, workspace.run_token_budget),
        (Passed.MINUTES, minutes, workspace.run_max_minutes),
    )
    return next((what for what, amount, most in used if most is not None and amount > most), None)


def stop_of(
    workspace: WorkspaceItem, run: RunItem, now: datetime, *, plan: PlanItem | None = None
) -> Stop | None:
    """Whether the run has to stop: by itself, or because its plan does not go on."""
    if reason := passed(workspace, run, now):
        return Stop(reason=reason)
    return Stop(reason=Passed.PLAN) if plan and plan.status is not PlanStatus.RUNNING else None


def _left(cap: float | None, spent: float, own: float) -> float | None:
    """What a budget leaves to one run, after what other runs have spent of it."""
    return None if cap is None else round(max(0, cap - max(0, spent - own)), 6)


def _least(amounts: Iterable[float | None]) -> float | None:
    return min((one for one in amounts if one is not None), default=None)
