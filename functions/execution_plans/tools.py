"""The execution plans' tools."""

from forge.auth.narrowing import require_project
from forge.context import Context
from forge.contract.effects import FILTERED, STEPS, Cost
from forge.contract.guards import Decider, Guarded, decided_by
from forge.contract.models import Done, Page
from forge.contract.references import Kind
from forge.contract.tools import Namespace
from forge.errors import InvalidInput
from forge.store.transactions import Transaction
from forge.work.content.references.naming import require_referred
from forge.work.issues.pages.listing import Pager
from forge.work.issues.runs.announcements import RUN_ENDED, RUN_STARTED
from forge.work.issues.runs.runs import RunItem
from forge.work.plans import drafting, moves
from forge.work.plans.announcements import (
    GATE_CHANGED,
    GOAL_MOVED,
    PLAN_MADE,
    PLAN_MOVED,
    STEP_MOVED,
    STEP_READY,
    PlanMade,
)
from forge.work.plans.budgets import limits
from forge.work.plans.changes import PlanChange
from forge.work.plans.charges import open_spent
from forge.work.plans.goals import goals
from forge.work.plans.goals.goals import GoalItem
from forge.work.plans.opening import open_step
from forge.work.plans.plans import PlanItem, PlanStatus
from forge.work.plans.requests.announcements import REQUEST_SETTLED
from forge.work.plans.saving import save, save_goal, settled
from forge.work.plans.views import PlanRow, plan_fields, plan_row, step_row
from forge.work.record.log.events import record
from functions.execution_plans import repository
from functions.execution_plans.models import (
    CreatedPlan,
    CreatePlan,
    GetPlan,
    ListPlans,
    PlanView,
    TransitionPlan,
    TransitionStep,
)

namespace = Namespace("executionPlans", "See plans with their steps, make them, and move them by hand.")


@namespace.reads(
    costs=Cost(reads=2).up_to(reads=8, because=FILTERED),
    asks=["what plans are there", "which plans run now", "plans for an issue"],
)
def list(request: ListPlans, ctx: Context) -> Page[PlanRow]:
    """List plans, the one that changed last first, with how many steps each has and how many are done.

    Pass nextCursor as cursor for more. Example: {"status": "RUNNING", "limit": 20}
    """
    pager = Pager(Page[PlanRow], request.fields)
    return pager.page(repository.list_page(ctx, request), plan_row)


@namespace.reads(
    costs=Cost(reads=3),
    asks=[
        "the steps of a plan",
        "how far is a plan",
        "what does my step ask for",
        "why did a step fail",
        "see the steps of a plan",
        "how far is a plan",
    ],
)
def get(request: GetPlan, ctx: Context) -> PlanView:
    """Show a plan with its steps in their order; texts are cut at 400 characters.

    With stepId it shows that step alone, with whole texts. What is cut even then goes on at textOffset, and a
    long description at descriptionOffset.
    Example: {"id": "plan_01J…", "stepId": "step_01J…"}
    """
    return repository.read_whole(ctx, request)


@namespace.writes(
    costs=Cost(reads=5, writes=1, items=58).up_to(reads=10, writes=2, items=59, because="steps in chunks"),
    emits=[PLAN_MADE],
    guards=(decided_by(Decider.STARTER, Guarded.PLAN),),
    asks=["make a plan with steps", "a plan without a goal", "write down a plan for an issue"],
)
def create(request: CreatePlan, ctx: Context) -> CreatedPlan:
    """Create a plan, with its steps if you know them, and return it; plans.activate lets it run.

    dependsOnStepIndexes count from 0, and name earlier steps. For a goal that a planner breaks down,
    use plans.decompose.
    Example: {"title": "Move to the new API", "issueId": "DEMO-1", "steps": [{"title": "List the calls"}]}
    """
    if request.project_id:
        require_project(ctx.caller, request.project_id)
    desk = repository.open_goal_of(ctx, request.goal_id) if request.goal_id else None
    goal = desk.goal if desk else None
    given_issue = request.issue_id or (goal.issue_id if goal else None)
    things = {"projectId": (Kind.PROJECT, request.project_id)}
    issue_id = require_referred(ctx, issue=given_issue, things=things, what="plan")
    plan = drafting.new_plan(
        ctx,
        request.title,
        goal=goal,
        issue_id=issue_id,
        project_id=request.project_id,
        status=PlanStatus(request.status),
        is_active_attempt=goal is None,
    )
    if request.status == PlanStatus.APPROVED:
        plan = repository.approved(ctx, plan, desk)
    plan, written = drafting.with_steps(ctx, plan, drafting.with_ids(ctx, request.steps))
    kept = drafting.kept(ctx, plan.id, request.description)
    tx = drafting.add_texts(ctx, written)
    drafting.add(tx, plan, kept)
    _tell(tx, plan, goal)
    steps = [step_row(plan, place) for place in range(len(plan.steps))]
    return CreatedPlan.of(plan, **plan_fields(plan), steps=steps)


@namespace.writes(
    idempotent=True,
    costs=Cost(reads=3, writes=1, items=39).up_to(reads=4, items=71, because=STEPS),
    emits=[PLAN_MOVED, STEP_READY, RUN_STARTED, RUN_ENDED, GOAL_MOVED, GATE_CHANGED, REQUEST_SETTLED],
    guards=(
        decided_by(Decider.STARTER, Guarded.PLAN, Guarded.STEP),
        decided_by(Decider.ENDER, Guarded.REQUEST, Guarded.GATE),
    ),
    asks=["put a plan on hold", "cancel a plan", "mark a plan as completed"],
)
def transition(request: TransitionPlan, ctx: Context) -> Done:
    """Set the status of a plan by hand; its goal stays as it is. To let a plan run, use plans.activate.

    APPROVED is for people, as is RUNNING, which lets a BLOCKED plan go on, whose steps then begin again; one
    beyond its budget gets as much again, as at its review gate; for a plan that never ran it is a conflict.
    CANCELED also ends its steps and their runs. A plan that is COMPLETED or CANCELED stays so.
    Example: {"id": "plan_01J…", "status": "BLOCKED"}
    """
    desk, spent = open_spent(ctx, request.id)
    change = PlanChange(desk)
    if change.plan.status is request.status:
        return Done()
    moves.transition(change, request.status)
    caps = limits.exceeded(change.plan, change.goal, spent, change.now)
    if request.status is PlanStatus.RUNNING and caps:
        change.after, change.goal = limits.extended(change.plan, change.goal, caps, spent, now=change.now)
    save(ctx.plan(), settled(change))
    return Done()


@namespace.writes(
    idempotent=True,
    name="transitionStep",
    costs=Cost(reads=4, writes=1, items=42).up_to(items=81, because=STEPS),
    emits=[STEP_MOVED, STEP_READY, PLAN_MOVED, GOAL_MOVED, GATE_CHANGED, RUN_STARTED, RUN_ENDED],
    guards=(
        decided_by(Decider.WORKER, Guarded.STEP, Guarded.PLAN),
        decided_by(Decider.GATEKEEPER, Guarded.GATE),
    ),
    asks=["I begin with a step", "a step is ready for review", "unblock a step", "skip a step"],
)
def transition_step(request: TransitionStep, ctx: Context) -> Done:
    """Set the status of a step by hand: RUNNING when you begin, REVIEW when it is to be judged.

    DONE lets begin what waited for it; where a step is judged, that is for its judge and for people. BLOCKED
    ends at its review gate. A step of a plan that is over, or one that the crew has no place for, is a
    conflict. Example: {"stepId": "step_01J…", "status": "REVIEW", "sourceRunId": "run_01J…"}
    """
    run = RunItem.at(ctx.caller.workspace_id, request.source_run_id or "-")
    desk = open_step(ctx, request.step_id, also=[run])
    if request.source_run_id is not None and not desk.readings.has(run):
        raise InvalidInput("Unknown run.", issues={"sourceRunId": "runs.list shows the known ones."})
    change = PlanChange(desk)
    moves.move_step(change, request.step_id, request.status, source_run_id=request.source_run_id)
    if change.plan != change.before:
        save(ctx.plan(), settled(change))
    return Done()


def _tell(tx: Transaction, plan: PlanItem, goal: GoalItem | None) -> None:
    if goal is not None:
        save_goal(tx, goal, goals.with_plan(goal, plan.id, is_active=False), action="plan")
    told = PlanMade(
        title=plan.title, step_count=len(plan.steps), goal_id=plan.goal_id, issue_id=plan.issue_id
    )
    record(tx, PLAN_MADE, told, subject_id=plan.id, action="create", after=plan, issue_id=plan.issue_id)
