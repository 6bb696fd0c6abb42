"""The loop's tools: from a goal to steps, and from steps to what was wanted."""

from forge.context import Context
from forge.contract.effects import CALLS, STEPS, Cost
from forge.contract.guards import Decider, Guarded, decided_by, settles_nothing
from forge.contract.models import Done
from forge.contract.tools import Namespace
from forge.errors import Conflict
from forge.work.issues.changes import IssueChange
from forge.work.issues.runs.announcements import RUN_ENDED, RUN_STARTED
from forge.work.overviews.tasks import awaiting
from forge.work.plans import drafting, moves, rules, step_runs
from forge.work.plans.announcements import (
    GATE_CHANGED,
    GOAL_MOVED,
    PLAN_MOVED,
    PLANNER_CALLED,
    STEP_JUDGED,
    STEP_READY,
    STEPS_ADDED,
)
from forge.work.plans.announcements import StepsAdded as StepsAddedTold
from forge.work.plans.attempts import active_attempt, open_goal
from forge.work.plans.changes import PlanChange
from forge.work.plans.goals import deciders, goals
from forge.work.plans.goals.goals import GoalStatus, GoalTextItem
from forge.work.plans.opening import open_plan, open_step
from forge.work.plans.plans import require_draft
from forge.work.plans.requests.announcements import REQUEST_RAISED, REQUEST_SETTLED
from forge.work.plans.rules import Verdict
from forge.work.plans.saving import save, save_goal, save_issue, settled
from forge.work.workspace.people.agents import AgentItem
from functions.plans import repository
from functions.plans.models import (
    Activate,
    AddedSteps,
    AddSteps,
    ApprovalRequested,
    Decompose,
    Decomposed,
    Judge,
    Judging,
    PlannerView,
    RecordVerdict,
    RequestApproval,
    VerdictRecorded,
)

namespace = Namespace("plans", "Break goals into steps, have them approved, let them run and judge them.")


@namespace.writes(
    costs=Cost(reads=4, writes=1, items=18).up_to(items=21, because="another attempt ends"),
    emits=[PLANNER_CALLED, GOAL_MOVED, PLAN_MOVED, GATE_CHANGED, REQUEST_SETTLED, RUN_STARTED, RUN_ENDED],
    guards=(decided_by(Decider.ENDER, Guarded.PLAN, Guarded.REQUEST, Guarded.GATE),),
    asks=[
        "plan how to reach a goal",
        "begin a new attempt at a goal",
        "break a goal down",
        "make a plan for a goal",
    ],
)
def decompose(request: Decompose, ctx: Context) -> Decomposed:
    """Begin an attempt at a goal: a DRAFT plan, whose planner is called to add steps with plans.addSteps.

    What was begun of the attempt before it is canceled, with its runs; a draft is only put aside. A goal that
    is over is a conflict. There are no context sets here.
    Example: {"goalId": "goal_01J…", "plannerAgentId": "planner"}
    """
    text = GoalTextItem.at(ctx.caller.workspace_id, request.goal_id)
    desk = open_goal(ctx, request.goal_id, active_attempt, first=[text])
    goals.require_open(desk.goal)
    planner = repository.planner_of(desk, request.planner_agent_id)
    plan = drafting.new_plan(
        ctx,
        f"Plan for: {desk.goal.title}"[:300],
        goal=desk.goal,
        planner_agent_id=planner.id if planner else None,
        planner_called_at=ctx.now() if planner else None,
    )
    issue = IssueChange(desk.anchor) if desk.anchor else None
    prior = [desk.change_of(one, issue) for one in active_attempt(desk.goal)]
    for change in prior:
        moves.replace_attempt(change)
    after = goals.with_plan(desk.goal, plan.id, is_active=True).changed(status=GoalStatus.PLANNING)
    tx = ctx.plan()
    drafting.add(tx, plan)
    repository.call_planner(tx, desk, plan, planner, issue=issue)
    save_goal(tx, desk.goal, after, action="decompose")
    save(tx, settled(*prior))
    if issue is not None:
        save_issue(tx, issue)
    return Decomposed(
        plan_id=plan.id,
        status=after.status,
        planner_agent_id=plan.planner_agent_id,
        planner=PlannerView.of(planner) if planner else None,
        dispatchable=bool(planner and planner.webhook_url),
    )


@namespace.writes(
    name="addSteps",
    costs=Cost(reads=4, writes=2, items=90).up_to(reads=8, writes=4, items=96, because="steps in chunks"),
    emits=[STEPS_ADDED],
    guards=(settles_nothing("a draft runs only as it was shown", Guarded.PLAN),),
    asks=["write the steps of a plan", "put tasks into a draft plan", "which step comes after which"],
)
def add_steps(request: AddSteps, ctx: Context) -> AddedSteps:
    """Add steps behind all others of a DRAFT plan, and return their ids in order.

    dependsOnStepIndexes count from 0 within this call, and name steps before their own. A plan has at most
    300 steps.
    Example: {"planId": "plan_01J…", "steps": [{"title": "Design schema"}, {"title": "Write migration",
    "dependsOnStepIndexes": [0]}]}
    """
    desk = open_plan(ctx, request.plan_id)
    require_draft(desk.plan, to="steps are added")
    change = PlanChange(desk)
    drafts = drafting.with_ids(ctx, request.steps)
    longer, written = drafting.with_steps(ctx, desk.plan, drafts)
    change.set(steps=longer.steps)
    told = StepsAddedTold(step_count=len(written))
    change.announce(STEPS_ADDED, told, action="add-steps", subject_id=desk.plan.id)
    tx = drafting.add_texts(ctx, written)
    if desk.anchor:
        step_runs.see(tx, desk.anchor.issue, desk.plan)
    save(tx, settled(change))
    return AddedSteps(step_ids=[one.step_id for one in written])


@namespace.writes(
    name="requestApproval",
    costs=Cost(reads=3, writes=1, items=13).up_to(reads=5, because="each hundred steps are a request more"),
    emits=[REQUEST_RAISED, REQUEST_SETTLED, RUN_ENDED],
    guards=(decided_by(Decider.ENDER, Guarded.REQUEST),),
    asks=["ask a person to approve my plan", "may this plan run", "get a go for the plan"],
)
def request_approval(request: RequestApproval, ctx: Context) -> ApprovalRequested:
    """Ask a person to let a DRAFT plan run; accepting the action request activates it in the same moment.

    A yes is one to the steps as they are now: add all of them first. Declining leaves the plan DRAFT.
    Who asks again gets the same request, or one that takes its place if steps or assignee are others.
    Example: {"planId": "plan_01J…", "assignedUserId": "ada"}
    """
    desk = open_plan(ctx, request.plan_id)
    require_draft(desk.plan, to="its approval is asked for")
    if not desk.plan.steps:
        raise Conflict("This plan has no steps.", hint="Add them with plans.addSteps first.")
    moves.require_current(desk.plan, desk.goal)
    asked = repository.raise_approval(desk, desk.goal, request.assigned_user_id)
    waits = awaiting.waits_for_request(ctx, asked, is_wanted=request.wait)
    return ApprovalRequested(action_request_id=asked.id, waits=waits)


@namespace.writes(
    costs=Cost(reads=3, writes=1, items=16).up_to(reads=4, items=71, because=STEPS),
    emits=[PLAN_MOVED, GOAL_MOVED, STEP_READY, RUN_STARTED, RUN_ENDED, REQUEST_SETTLED],
    guards=(decided_by(Decider.STARTER, Guarded.PLAN, Guarded.STEP, Guarded.REQUEST),),
    asks=["let a plan run", "start the steps of a plan", "set the crew to work on the plan"],
)
def activate(request: Activate, ctx: Context) -> Done:
    """Let a DRAFT or APPROVED plan run: its goal is ACTIVE, and the steps that wait for nothing begin.

    As many begin as the crew's maxParallel allows. A person approves: an agent activates what was APPROVED by
    one, else it asks with plans.requestApproval. While people are asked, only who may decide starts it.
    Example: {"planId": "plan_01J…"}
    """
    change = PlanChange(open_plan(ctx, request.plan_id))
    moves.activate(change)
    save(ctx.plan(), settled(change))
    return Done()


@namespace.writes(
    costs=Cost(reads=5, writes=1, items=14).up_to(items=15, because=CALLS),
    emits=[STEP_READY, GATE_CHANGED, RUN_STARTED, RUN_ENDED],
    guards=(
        decided_by(Decider.APPOINTER, Guarded.STEP),
        settles_nothing("it only asks people", Guarded.GATE),
    ),
    asks=["have a step judged", "call the reviewer for a step", "ask for a verdict on a step"],
)
def judge(request: Judge, ctx: Context) -> Judging:
    """Call somebody to judge a step that is RUNNING or in REVIEW, and return who that is.

    Where nobody is there to judge it, a review gate opens for people. The judge answers with
    plans.recordVerdict. Example: {"stepId": "step_01J…", "judgeAgentId": "reviewer"}
    """
    named = AgentItem.at(ctx.caller.workspace_id, request.judge_agent_id or "-")
    desk = open_step(ctx, request.step_id, also=[named])
    change = PlanChange(desk)
    step = change.plan.step(request.step_id)
    rules.require_judged(step)
    reviewer_id = repository.reviewer_of(desk, step)
    if request.judge_agent_id:
        reviewer = desk.find_agent(request.judge_agent_id)
        judge_id = repository.required(reviewer, request.judge_agent_id, field="judgeAgentId").id
        deciders.require_may_appoint(step, judge_id, ctx.caller, desk.crew, reviewer_id=reviewer_id)
        reviewer_id = judge_id
    change.call_judge(step, reviewer_id)
    if change.announced or change.gates:
        save(ctx.plan(), settled(change))
    return Judging(judge_agent_id=reviewer_id)


@namespace.writes(
    name="recordVerdict",
    costs=Cost(reads=5, writes=1, items=48).up_to(items=81, because=STEPS),
    emits=[STEP_JUDGED, STEP_READY, PLAN_MOVED, GOAL_MOVED, GATE_CHANGED, RUN_STARTED, RUN_ENDED],
    guards=(
        decided_by(Decider.JUDGE, Guarded.STEP, Guarded.PLAN),
        decided_by(Decider.GATEKEEPER, Guarded.GATE),
    ),
    asks=["the step is done well", "send a step back", "pass or fail a step", "my judgement of a step"],
)
def record_verdict(request: RecordVerdict, ctx: Context) -> VerdictRecorded:
    """Judge a step that is RUNNING or in REVIEW: PASS makes it DONE, and what waited for it begins.

    FAIL sends it back with the feedback as often as the plan allows (RETRY); then it is BLOCKED, and a review
    gate opens for people. For the judge that was called, a REVIEWER of the crew, or a person. A step that was
    judged before is a conflict. An agent does not pass its own step where its crew has another REVIEWER;
    where it has none, the verdict says so (selfJudged).
    Example: {"stepId": "step_01J…", "verdict": "PASS", "feedback": "meets the contract", "score": 0.95}
    """
    change = PlanChange(open_step(ctx, request.step_id))
    step = change.plan.step(request.step_id)
    rules.require_judged(step)
    deciders.require_judge(step, ctx.caller, change.desk.crew)
    is_own = moves.is_of_worker(step, ctx.caller)
    if is_own and request.verdict is Verdict.PASS:
        reviewer_id = repository.reviewer_of(change.desk, step)
        moves.require_nobody_else(reviewer_id, ctx.caller)
    kept = drafting.kept(ctx, request.step_id, request.feedback)
    judged = moves.judge(
        change, request.step_id, request.verdict, feedback=request.feedback, kept=kept, score=request.score
    )
    save(ctx.plan(), settled(change))
    return VerdictRecorded(outcome=judged.outcome, retry_count=judged.retry_count, self_judged=is_own or None)
