"""The rules of budgets, with values."""

from datetime import timedelta
from decimal import Decimal

import pytest

from forge.work.plans.budgets import limits
from forge.work.plans.budgets.limits import Cap, Spent
from forge.work.plans.goals.goals import GoalItem
from forge.work.plans.plans import PlanStatus, StepStatus
from tests.unit.work.plans.built import NOON, a_plan, in_status

_GOAL = GoalItem(workspace_id="ws_1", id="goal_1", title="Ship", created_at=NOON, updated_at=NOON)


def test_a_difference_is_exact_and_may_be_negative() -> None:
    assert limits.difference(0.1, 0.3) == Decimal("0.2")
    assert limits.difference(None, 0.0001) == Decimal("0.0001")
    assert limits.difference(0.3, 0.1) == Decimal("-0.2")


def test_a_cap_that_is_reached_is_not_passed() -> None:
    plan, goal = a_plan([], max_total_cost_usd=5), _GOAL.changed(max_total_cost_usd=8)

    assert limits.exceeded(plan, goal, Spent(5, 8), NOON) == []
    assert limits.exceeded(plan, goal, Spent(5.0001, 8), NOON) == [Cap.PLAN_COST]
    assert limits.exceeded(plan, goal, Spent(5, 8.0001), NOON) == [Cap.GOAL_COST]


def test_time_counts_from_the_last_approval_else_from_the_start() -> None:
    plan = a_plan([], max_wall_time_minutes=60, started_at=NOON)
    hour = NOON + timedelta(minutes=60)

    assert limits.exceeded(plan, None, Spent(), hour) == []
    assert limits.exceeded(plan, None, Spent(), hour + timedelta(seconds=1)) == [Cap.WALL_TIME]
    approved = plan.changed(wall_time_from=hour)
    assert limits.exceeded(approved, None, Spent(), hour + timedelta(minutes=60)) == []


def test_an_approval_adds_what_the_cap_was_at_first_each_time() -> None:
    plan, goal = a_plan([], max_total_cost_usd=0.1), _GOAL.changed(max_total_cost_usd=8)

    once, same = limits.extended(plan, goal, [Cap.PLAN_COST], Spent(0.11), now=NOON)
    twice, more = limits.extended(once, goal, [Cap.PLAN_COST, Cap.GOAL_COST], Spent(0.21, 8.1), now=NOON)
    thrice, _ = limits.extended(twice, more, [Cap.PLAN_COST], Spent(0.31, 8.2), now=NOON)

    caps = [one.max_total_cost_usd for one in (once, twice, thrice)]
    assert caps == [0.2, 0.3, 0.4]
    assert same is goal
    assert more is not None
    assert more.max_total_cost_usd == 16
    assert thrice.wall_time_from == NOON


@pytest.mark.parametrize(("spent", "cap"), [(1.01, 2), (2, 2), (2.51, 3), (3, 3), (7.3, 8)])
def test_what_was_spent_before_a_yes_does_not_stop_the_plan_after_it(spent: float, cap: float) -> None:
    plan = a_plan([], max_total_cost_usd=1)

    after, _ = limits.extended(plan, None, [Cap.PLAN_COST], Spent(spent), now=NOON)

    assert after.max_total_cost_usd == cap
    assert limits.exceeded(after, None, Spent(spent), NOON) == []


def test_a_plan_that_was_granted_nothing_gets_what_it_spent() -> None:
    plan = a_plan([], max_total_cost_usd=0)

    once, _ = limits.extended(plan, None, [Cap.PLAN_COST], Spent(0.3), now=NOON)
    twice, _ = limits.extended(once, None, [Cap.PLAN_COST], Spent(0.7), now=NOON)

    assert [one.max_total_cost_usd for one in (once, twice)] == [0.3, 0.7]


def test_a_plan_gets_on_while_a_step_is_at_work_can_begin_or_is_being_judged() -> None:
    plan = a_plan([], [0])

    assert limits.stall(plan) is None
    for status in (StepStatus.RUNNING, StepStatus.REVIEW):
        assert limits.stall(in_status(plan, status)) is None
    ready = in_status(plan, StepStatus.READY)
    assert limits.stall(ready.with_step("plan_1.0", assigned_agent_id="agt_1")) is None
    assert limits.stall(ready.with_step("plan_1.0", assigned_user_id="usr_1")) is None
    assert limits.stall(ready.changed(crew_id=None)) is None
    assert limits.stall(in_status(plan, StepStatus.DONE, StepStatus.DONE)) is None
    blocked = in_status(plan, StepStatus.BLOCKED)
    assert limits.stall(blocked.changed(status=PlanStatus.BLOCKED)) is None


def test_a_plan_does_not_get_on_where_everything_waits_for_what_is_blocked_or_for_people() -> None:
    plan = a_plan([], [0])
    waiting = in_status(plan, StepStatus.REVIEW).with_step("plan_1.0", gate_id="gate_1")

    blocked, unjudged = limits.stall(in_status(plan, StepStatus.BLOCKED)), limits.stall(waiting)

    assert blocked is not None
    assert unjudged is not None
    nobodys = limits.stall(in_status(plan, StepStatus.READY))
    assert nobodys is not None
    assert nobodys.reason_code == "no_progress_path"
    codes = (blocked.reason_code, unjudged.reason_code)
    assert codes == ("no_progress_path", "review_without_reviewer")


def test_a_plan_with_a_budget_is_looked_at_every_ten_minutes_or_when_its_time_is_over() -> None:
    plan = a_plan([], started_at=NOON)

    assert limits.next_look(plan, None, NOON) is None
    assert limits.next_look(plan, _GOAL, NOON) is None
    capped = plan.changed(max_total_cost_usd=5)
    assert limits.next_look(capped, None, NOON) == NOON + timedelta(minutes=10)
    assert limits.next_look(plan, _GOAL.changed(max_total_cost_usd=5), NOON) == NOON + timedelta(minutes=10)
    short = capped.changed(max_wall_time_minutes=5)
    assert limits.next_look(short, None, NOON) == NOON + timedelta(minutes=5, seconds=1)
    assert limits.next_look(short.changed(status=PlanStatus.BLOCKED), None, NOON) is None


def test_a_plan_that_does_not_get_on_is_looked_at_until_that_is_told() -> None:
    plan = in_status(a_plan([]), StepStatus.BLOCKED)

    assert limits.next_look(plan, None, NOON) == NOON + timedelta(minutes=1)
    assert limits.next_look(plan.changed(stalled_at=plan.updated_at), None, NOON) is None
