"""Lists of goals, and a goal with all that is shown of it."""

from collections.abc import Sequence

from forge.context import Context
from forge.store.pages import Found
from forge.store.walks import one_partition
from forge.work.issues.pages.sights import Sight
from forge.work.issues.pages.sizes import Shorten, fewer, fitted
from forge.work.issues.views import brief_of
from forge.work.plans.attempts import GoalDesk, every_attempt, open_goal
from forge.work.plans.goals.goals import GOALS_LISTED, GoalCostItem, GoalItem, GoalTextItem
from forge.work.plans.plans import PlanItem, StepStatus, status_of
from forge.work.plans.views import described, plan_fields, step_row, with_less_description
from forge.work.workspace.people.names import Names
from functions.goals.models import (
    Aggregate,
    AttemptView,
    CrewBrief,
    CrewMemberView,
    GetGoal,
    GoalRow,
    GoalView,
    ListGoals,
    PlanCounts,
)

_MOST_DESCRIPTION = 20_000


def list_page(ctx: Context, request: ListGoals) -> Found[GoalItem]:
    """By their last change, the newest first."""

    def accepts(goal: GoalItem) -> bool:
        is_shown = request.include_archived or goal.archived_at is None
        return is_shown and request.status in (None, goal.status)

    listing = one_partition(GOALS_LISTED(ctx.caller.workspace_id), "updated", is_descending=True)
    sight: Sight[GoalItem] = Sight(ctx, lambda goal: goal.issue_id)
    return sight.page(GoalItem, listing, request, accepts)


def row_of(goal: GoalItem) -> GoalRow:
    return GoalRow.of(goal, counts=PlanCounts(plans=len(goal.plan_ids)))


def read_whole(ctx: Context, request: GetGoal) -> GoalView:
    """Two requests; what is too long to be sent is cut."""
    text = GoalTextItem.at(ctx.caller.workspace_id, request.id)
    cost = GoalCostItem.at(ctx.caller.workspace_id, request.id)
    desk = open_goal(ctx, request.id, every_attempt, first=[text, cost])
    said, spent = desk.readings.find(GoalTextItem, text), desk.readings.find(GoalCostItem, cost)
    plans = [found for one in desk.goal.plan_ids if (found := desk.find_plan(one))]
    names = Names(desk.anchor.workspace, desk.readings) if desk.anchor else None
    view = GoalView.of(
        desk.goal,
        counts=PlanCounts(plans=len(desk.goal.plan_ids)),
        **described(
            ctx,
            said.description if said else None,
            offset=request.description_offset,
            most=_MOST_DESCRIPTION,
        ),
        total_cost_usd=spent.total_cost_usd if spent else 0,
        plans=[_attempt(plan) for plan in reversed(plans)],
        crew=_crew(desk),
        issue=brief_of(desk.anchor.issue, names) if desk.anchor and names else None,
        aggregate=aggregate(plans),
        truncated=None,
    )
    shorten: list[Shorten[GoalView]] = [
        _with_fewer_steps,
        lambda one, excess: with_less_description(one, excess, offset=request.description_offset),
    ]
    return fitted(view, shorten, room_to_say_so=60)


def _attempt(plan: PlanItem) -> AttemptView:
    steps = range(len(plan.steps)) if plan.is_active_attempt else ()
    return AttemptView.of(plan, **plan_fields(plan), steps=[step_row(plan, place) for place in steps])


def _crew(desk: GoalDesk) -> CrewBrief | None:
    crew = desk.crew
    if crew is None:
        return None
    return CrewBrief.of(crew, members=[CrewMemberView.of(one) for one in crew.members])


def _with_fewer_steps(view: GoalView, excess: int) -> GoalView:
    plans = [
        one.model_copy(update={"steps": [*fewer(one.steps, excess)]}) if one.steps else one
        for one in view.plans
    ]
    return view.model_copy(update={"plans": plans, "truncated": True})


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
