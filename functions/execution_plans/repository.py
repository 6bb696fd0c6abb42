"""Lists of plans, and a plan with its steps."""

from forge.context import Context
from forge.errors import InvalidInput, NotFound
from forge.store.pages import Found
from forge.store.walks import one_partition
from forge.work.content.references.resolving import places_of, require_there
from forge.work.issues.desks import no_such_issue, resolve, settings_key, unknown_reference
from forge.work.issues.pages.sights import Sight
from forge.work.issues.pages.sizes import Shorten, fewer, fitted
from forge.work.plans.attempts import GoalDesk, open_goal
from forge.work.plans.goals import deciders, goals
from forge.work.plans.opening import PlanDesk, open_plan
from forge.work.plans.plans import (
    PLANS_LISTED,
    PLANS_OF_ISSUE,
    PlanCostItem,
    PlanItem,
    PlanTextItem,
    StepTextItem,
)
from forge.work.plans.views import (
    SHORT,
    StepView,
    described,
    plan_fields,
    step_view,
    with_less_description,
)
from functions.execution_plans.models import GetPlan, ListPlans, PlanView

STEPS_AT_ONCE = 100
_WHOLE = 8_000
"""Characters of each text of one step: there are four, and an answer has its limit."""
_MOST_DESCRIPTION = 8_000


def list_page(ctx: Context, request: ListPlans) -> Found[PlanItem]:
    """By their last change, the newest first."""
    asked = resolve(ctx, request.issue_id) if request.issue_id else None
    asked_for = places_of(request, ctx)
    listing = one_partition(PLANS_LISTED(ctx.caller.workspace_id), "updated", is_descending=True)
    if asked:
        partition = PLANS_OF_ISSUE(ctx.caller.workspace_id, asked.issue_id)
        listing = one_partition(partition, "subject", is_descending=True)

    def accepts(plan: PlanItem) -> bool:
        is_shown = request.include_archived or plan.archived_at is None
        is_wanted = request.status in (None, plan.status) and request.project_id in (None, plan.project_id)
        return is_shown and is_wanted and (asked is None or plan.issue_id == asked.issue_id)

    sight: Sight[PlanItem] = Sight(
        ctx,
        lambda plan: plan.issue_id,
        asked=asked.issue_id if asked else None,
        also=[settings_key(ctx), *asked_for],
    )
    found = sight.page(PlanItem, listing, request, accepts)
    require_there(asked_for, sight.reach.readings)
    if asked:
        sight.reach.show(asked, missing=no_such_issue(str(request.issue_id)))
    return found


def open_goal_of(ctx: Context, goal_id: str) -> GoalDesk:
    """The goal that a new plan is for, which is not over; two requests."""
    try:
        desk = open_goal(ctx, goal_id, lambda _: ())
    except NotFound:
        raise unknown_reference("goalId", goal_id, what="goal", see="goals.list") from None
    goals.require_open(desk.goal)
    return desk


def approved(ctx: Context, plan: PlanItem, desk: GoalDesk | None) -> PlanItem:
    """With who approved of it, if that is who makes it; one request where an agent does."""
    crew, caller = desk.crew if desk else None, ctx.caller
    if deciders.decides(caller, crew):
        return plan.changed(approved_by_id=caller.agent_id or caller.user_id)
    needs_a_person = ctx.services.workspaces.get(caller.workspace_id).plans_need_a_person
    deciders.require_may_start(plan, caller, crew, needs_a_person=needs_a_person)
    return plan


def read_whole(ctx: Context, request: GetPlan) -> PlanView:
    """Three requests; what is too long to be sent is left for another call."""
    workspace_id = ctx.caller.workspace_id
    text, cost = PlanTextItem.at(workspace_id, request.id), PlanCostItem.at(workspace_id, request.id)
    desk = open_plan(ctx, request.id, also=[text, cost])
    said, spent = desk.readings.find(PlanTextItem, text), desk.readings.find(PlanCostItem, cost)
    steps = _steps(desk, request)
    end = request.offset + len(steps)
    is_more = request.step_id is None and end < len(desk.plan.steps)
    view = PlanView.of(
        desk.plan,
        **plan_fields(desk.plan),
        **described(
            ctx,
            said.description if said else None,
            offset=request.description_offset,
            most=_MOST_DESCRIPTION,
        ),
        total_cost_usd=spent.total_cost_usd if spent else 0,
        steps=steps,
        next_offset=end if is_more else None,
    )
    shorten: list[Shorten[PlanView]] = [
        lambda one, excess: _with_fewer_steps(one, excess, request),
        lambda one, excess: with_less_description(one, excess, offset=request.description_offset),
    ]
    return fitted(view, shorten, room_to_say_so=40)


def _steps(desk: PlanDesk, request: GetPlan) -> list[StepView]:
    plan = desk.plan
    places = [*range(request.offset, min(request.offset + STEPS_AT_ONCE, len(plan.steps)))]
    part = slice(0, SHORT)
    if request.step_id is not None:
        if request.step_id not in {one.id for one in plan.steps}:
            raise InvalidInput(
                "This plan has no such step.", issues={"stepId": "Leave it out to see all of its steps."}
            )
        places = [plan.position_of(request.step_id)]
        part = slice(request.text_offset, request.text_offset + _WHOLE)
    kept = {place: StepTextItem.at(plan.workspace_id, plan.steps[place].id) for place in places}
    desk.readings.fetch(kept.values())
    blobs = desk.ctx.services.store.blobs
    return [
        step_view(plan, place, desk.readings.find(StepTextItem, key), blobs=blobs, part=part)
        for place, key in kept.items()
    ]


def _with_fewer_steps(view: PlanView, excess: int, request: GetPlan) -> PlanView:
    steps = [*fewer(view.steps, excess, least=1)]
    if request.step_id is not None or len(steps) == len(view.steps):
        return view
    return view.model_copy(update={"steps": steps, "next_offset": request.offset + len(steps)})
