"""The goals' tools."""

from forge.auth.narrowing import require_initiative
from forge.context import Context
from forge.contract.effects import FILTERED, Cost
from forge.contract.guards import Decider, Guarded, decided_by
from forge.contract.models import Done, Page
from forge.contract.questions import require_confirmed
from forge.contract.references import Kind
from forge.contract.tools import Namespace
from forge.errors import Conflict
from forge.work.content.references.naming import require_referred
from forge.work.issues.pages.listing import Pager
from forge.work.issues.runs.announcements import RUN_ENDED
from forge.work.plans import drafting, moves
from forge.work.plans.announcements import (
    GATE_CHANGED,
    GOAL_CREATED,
    GOAL_MOVED,
    PLAN_ATTACHED,
    PLAN_MOVED,
    GoalCreated,
    PlanAttached,
)
from forge.work.plans.attempts import active_attempt, every_attempt, open_goal
from forge.work.plans.goals import goals
from forge.work.plans.goals.goals import MOST_PLANS, GoalCostItem, GoalItem, GoalStatus, GoalTextItem
from forge.work.plans.plans import PlanItem, PlanStatus
from forge.work.plans.requests.announcements import REQUEST_SETTLED
from forge.work.plans.saving import save, save_goal, settled
from forge.work.record.log.events import record
from functions.goals import repository, rules
from functions.goals.models import (
    AbandonGoal,
    AttachPlan,
    CreatedGoal,
    CreateGoal,
    GetGoal,
    GoalRow,
    GoalView,
    ListGoals,
)

namespace = Namespace("goals", "See and keep the goals that crews achieve by plans.")


@namespace.reads(
    costs=Cost(reads=2).up_to(reads=7, because=FILTERED),
    asks=["what goals are there", "which goals are open", "overview of the goals of crews"],
)
def list(request: ListGoals, ctx: Context) -> Page[GoalRow]:
    """List goals, the one that changed last first, with how many plans each has.

    Pass nextCursor as cursor for more. Example: {"status": "ACTIVE", "limit": 20}
    """
    pager = Pager(Page[GoalRow], request.fields)
    return pager.page(repository.list_page(ctx, request), repository.row_of)


@namespace.reads(
    costs=Cost(reads=2),
    asks=["how far is a goal", "progress of a goal", "the attempts at a goal", "which plan counts now"],
)
def get(request: GetGoal, ctx: Context) -> GoalView:
    """Show a goal with its plans, the steps of the one that counts, its crew, its cost, and how far it is.

    executionPlans.get shows a plan with the texts of its steps. A long description goes on at
    descriptionOffset. Example: {"id": "goal_01J…"}
    """
    return repository.read_whole(ctx, request)


@namespace.writes(
    costs=Cost(reads=1, writes=1, items=6).up_to(reads=3, because="whatever it refers to is looked up"),
    emits=[GOAL_CREATED],
    asks=[
        "set a goal for a crew",
        "something several agents shall achieve",
        "a new objective",
        "a new goal",
        "make a goal for a crew",
    ],
)
def create(request: CreateGoal, ctx: Context) -> CreatedGoal:
    """Create a goal and return its id; plans.decompose begins the first attempt at it.

    With an issue, its agents work in runs of that issue.
    Example: {"title": "Ship the importer", "crewId": "Importers", "maxTotalCostUsd": 5}
    """
    caller, now = ctx.caller, ctx.now()
    if request.initiative_id:
        require_initiative(caller, request.initiative_id)
    issue_id = require_referred(
        ctx,
        issue=request.issue_id,
        things={
            "crewId": (Kind.CREW, request.crew_id),
            "initiativeId": (Kind.INITIATIVE, request.initiative_id),
        },
        what="goal",
    )
    given = request.model_dump(exclude={"description", "issue_id"})
    goal = GoalItem(
        workspace_id=caller.workspace_id,
        id=ctx.new_id("goal"),
        issue_id=issue_id,
        created_by_id=None if caller.agent_id else caller.user_id,
        created_by_agent_id=caller.agent_id,
        created_at=now,
        updated_at=now,
        **given,
    )
    _add(ctx, goal, request.description)
    return CreatedGoal(id=goal.id)


@namespace.writes(
    destructive=True,
    costs=Cost(reads=3, writes=1, items=15).up_to(reads=3 + MOST_PLANS, items=81, because="all attempts end"),
    emits=[GOAL_MOVED, PLAN_MOVED, GATE_CHANGED, REQUEST_SETTLED, RUN_ENDED],
    guards=(decided_by(Decider.ENDER, Guarded.PLAN, Guarded.REQUEST, Guarded.GATE),),
    asks=["give a goal up", "stop working on a goal", "a goal is not wanted any more"],
    confirms="plans end with it",
)
def abandon(request: AbandonGoal, ctx: Context) -> Done:
    """Give a goal up for good: its plans are canceled, and their steps and runs end; of many, right after.

    One that is ACHIEVED or ABANDONED is a conflict. To try it another way, use plans.decompose.
    Example: {"id": "goal_01J…", "reason": "Bought a tool instead."}
    """
    desk = open_goal(ctx, request.id, every_attempt)
    goals.require_open(desk.goal)
    going = [one for one in desk.goal.plan_ids if (plan := desk.find_plan(one)) and not plan.is_over]
    changes = [desk.change_of(one) for one in going]
    for change in changes:
        moves.cancel(change)
        if change.plan.id == desk.goal.active_plan_id:
            moves.reap_few(change)
    tx = ctx.plan()
    after = desk.goal.changed(status=GoalStatus.ABANDONED)
    save_goal(tx, desk.goal, after, action="abandon", reason=request.reason or None)
    save(tx, settled(*changes))
    require_confirmed(ctx, request.confirm, lambda: rules.question(desk.goal, len(going)))
    return Done()


@namespace.writes(
    name="attachPlan",
    costs=Cost(reads=4, writes=1, items=13).up_to(reads=6, items=21, because="another attempt ends"),
    emits=[PLAN_ATTACHED, PLAN_MOVED, GOAL_MOVED, GATE_CHANGED, REQUEST_SETTLED, RUN_ENDED],
    guards=(decided_by(Decider.ENDER, Guarded.PLAN, Guarded.REQUEST, Guarded.GATE),),
    asks=[
        "this plan is for that goal",
        "put a plan under a goal",
        "another plan counts from now on",
    ],
)
def attach_plan(request: AttachPlan, ctx: Context) -> Done:
    """Make a plan an attempt at a goal; with makeActive it is the one that counts, and ends the present one.

    What has not begun gets the goal's crew, issue and budgets, if it has none. A plan of another goal, one
    that is over, or a goal that is over is a conflict.
    Example: {"goalId": "goal_01J…", "planId": "plan_01J…", "makeActive": true}
    """
    desk = open_goal(ctx, request.goal_id, lambda goal: [*active_attempt(goal), request.plan_id])
    goal, change = desk.goal, desk.change_of(request.plan_id)
    goals.require_open(goal)
    moves.require_going(change.plan)
    _require_free(change.plan, goal)
    is_known = change.plan.id in goal.plan_ids
    if is_known and change.plan.is_active_attempt == request.make_active:
        return Done()
    after = goal if is_known else goals.with_plan(goal, change.plan.id, is_active=False)
    changes = [change]
    if request.make_active:
        after = _begun(after.changed(active_plan_id=change.plan.id), change.plan, ctx)
        for other_id in active_attempt(goal):
            if other_id != change.plan.id:
                other = desk.change_of(other_id)
                moves.replace_attempt(other)
                changes.append(other)
    given = drafting.given_by(goal, change.plan)
    change.set(goal_id=goal.id, is_active_attempt=request.make_active, **given)
    told = PlanAttached(goal_id=goal.id, is_active_attempt=request.make_active)
    change.announce(PLAN_ATTACHED, told, action="attach", subject_id=change.plan.id)
    tx = ctx.plan()
    save_goal(tx, goal, after, action="attach")
    save(tx, settled(*changes))
    return Done()


def _begun(goal: GoalItem, plan: PlanItem, ctx: Context) -> GoalItem:
    """A goal is as far as the attempt that counts."""
    if plan.status in (PlanStatus.RUNNING, PlanStatus.BLOCKED):
        return goal.changed(status=GoalStatus.ACTIVE, started_at=goal.started_at or ctx.now())
    return goal.changed(status=GoalStatus.PLANNING)


def _require_free(plan: PlanItem, goal: GoalItem) -> None:
    if plan.goal_id not in (None, goal.id):
        raise Conflict(
            "This plan is an attempt at another goal.", hint="Make one like it with executionPlans.create."
        )


def _add(ctx: Context, goal: GoalItem, description: str | None) -> None:
    tx = ctx.plan()
    tx.create(goal)
    tx.create(GoalCostItem(workspace_id=goal.workspace_id, goal_id=goal.id))
    kept = drafting.kept(ctx, goal.id, description)
    if kept is not None:
        tx.create(GoalTextItem(workspace_id=goal.workspace_id, goal_id=goal.id, description=kept))
    told = GoalCreated(goal_title=goal.title, issue_id=goal.issue_id, crew_id=goal.crew_id)
    record(tx, GOAL_CREATED, told, subject_id=goal.id, action="create", after=goal, issue_id=goal.issue_id)
