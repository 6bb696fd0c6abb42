"""The review gates' tools."""

from forge.context import Context
from forge.contract.effects import FILTERED, STEPS, Cost
from forge.contract.guards import Decider, Guarded, decided_by, settles_nothing
from forge.contract.models import Done, Page
from forge.contract.tools import Namespace
from forge.work.issues.pages.listing import Pager
from forge.work.issues.runs.announcements import RUN_ENDED, RUN_STARTED
from forge.work.plans import drafting
from forge.work.plans.announcements import (
    GATE_CHANGED,
    GOAL_MOVED,
    PLAN_MOVED,
    STEP,
    STEP_JUDGED,
    STEP_MOVED,
    STEP_READY,
)
from forge.work.plans.changes import PlanChange
from forge.work.plans.gateway import keeping
from forge.work.plans.goals import deciders, gates
from forge.work.plans.goals.gates import GateItem, GateStatus
from forge.work.plans.requests.cards import called
from forge.work.plans.saving import save, settled
from forge.work.workspace.people.names import Names
from functions.review_gates import repository, rules
from functions.review_gates.models import (
    GateDecision,
    GateRow,
    GateView,
    ListGates,
    OpenReviewGate,
    ResolveGate,
)
from functions.review_gates.repository import GateTarget

namespace = Namespace("reviewGates", "See where plans wait for somebody to decide, and decide there.")

_APPROVED = "Approved at its review gate."


@namespace.reads(
    costs=Cost(reads=2).up_to(reads=7, because=FILTERED),
    asks=["what waits for a decision", "checkpoints that are open", "why is a plan stopped"],
)
def list(request: ListGates, ctx: Context) -> Page[GateRow]:
    """List review gates, the newest first: where a step, a plan or something of yours waits for a decision.

    Gates open by themselves for a step that failed too often or that nobody judges (execution-step), for a
    plan beyond its budget (execution-plan): goals.get {goalId} and executionPlans.get {planId, targetId as
    stepId} tell more; and for a planned run of gateway.execute (gateway-run).
    Example: {"status": "PENDING", "limit": 20}
    """
    pager = Pager(Page[GateRow], request.fields)
    found, names = repository.list_page(ctx, request)
    return pager.page(found, lambda gate: _row(gate, names))


@namespace.writes(
    costs=Cost(reads=4, writes=1, items=6).up_to(reads=5, items=21, because="its plan is held with it"),
    emits=[GATE_CHANGED],
    guards=(settles_nothing("it only asks", Guarded.GATE),),
    asks=["wait for a sign-off", "a checkpoint where somebody has to approve", "hold up a step"],
)
def open(request: OpenReviewGate, ctx: Context) -> GateView:
    """Open a review gate, and return it: somebody has to decide with reviewGates.resolve.

    A plan that is BLOCKED, or a step that is BLOCKED or in REVIEW, waits there, unless it waits at another
    gate; for anything else the gate stops nothing, and its decision is only kept.
    Example: {"targetType": "execution-step", "targetId": "step_01J…", "prompt": "Is the schema final?"}
    """
    target_type = rules.target_meant(request.target_type)
    target = repository.open_target(ctx, target_type, request)
    belongs = target.desk.plan.as_of_gate if target.desk else {"issue_id": target.issue_id}
    crew_id = request.crew_id or belongs.get("crew_id")
    gate = gates.new_gate(
        ctx,
        target_type,
        target.id,
        request.prompt,
        required_role=rules.role_meant(request.required_role, has_crew=crew_id is not None),
        **{**belongs, "crew_id": crew_id},
    )
    tx = ctx.plan()
    step_id = target.id if target_type == STEP else None
    if target.desk and rules.is_stopped(target.desk.plan, step_id):
        change = PlanChange(target.desk)
        rules.hold(change, gate)
        save(tx, settled(change))
    else:
        gates.open_gate(tx, gate)
    return GateView.of(gate)


@namespace.writes(
    costs=Cost(reads=5, writes=1, items=50).up_to(items=81, because=STEPS),
    emits=[
        GATE_CHANGED,
        STEP_MOVED,
        STEP_JUDGED,
        STEP_READY,
        PLAN_MOVED,
        GOAL_MOVED,
        RUN_STARTED,
        RUN_ENDED,
    ],
    guards=(decided_by(Decider.GATEKEEPER, Guarded.GATE, Guarded.STEP, Guarded.PLAN, Guarded.GATED_RUN),),
    asks=["let a blocked plan go on", "approve at a checkpoint", "reject what waits", "give more budget"],
)
def resolve(request: ResolveGate, ctx: Context) -> Done:
    """Decide at a review gate: what waits there goes on, or is given up.

    APPROVED: a BLOCKED step is tried anew, with all its retries; a step in REVIEW is DONE, judged by you; a
    plan beyond its budget runs again, with as much again of what it has used up; a run of the gateway gets
    the gate that it waits for. REJECTED cancels the plan, and its goal is OPEN; a run is analysed anew.
    CANCELED only takes the question back. Owners and admins may always decide; else who has the gate's
    requiredRole or, where it has none, any person and the crew's OPERATOR_PROXY. A gate that is not PENDING
    is a conflict. Example: {"id": "gate_01J…", "decision": "APPROVED"}
    """
    gate, target = repository.open_gate(ctx, request.id)
    deciders.require_may_resolve(gate, ctx.caller, target.crew)
    rules.require_pending(gate)
    tx = ctx.plan()
    gates.resolve_gate(tx, gate, GateStatus(request.decision), request.resolution or None)
    if target.desk and rules.is_held(target.desk.plan, gate):
        change = PlanChange(target.desk)
        _carry_out(change, gate, request, target)
        save(tx, settled(change))
    if target.run and rules.is_asked(target.run, gate):
        decision, reason = GateStatus(request.decision), request.resolution or None
        after = rules.run_after(target.run, decision, reason=reason, by=ctx.caller, now=ctx.now())
        outdated = keeping.find_outdated(ctx, after)
        keeping.save(ctx, tx, after, outdated=outdated, action=decision.lower())
    return Done()


def _carry_out(change: PlanChange, gate: GateItem, request: ResolveGate, target: GateTarget) -> None:
    if request.decision is GateDecision.CANCELED:
        rules.let_go(change, gate)
    elif request.decision is GateDecision.REJECTED:
        rules.reject(change, gate)
    elif gate.target_type == STEP:
        feedback = request.resolution or _APPROVED
        kept = drafting.kept(change.desk.ctx, gate.target_id, feedback)
        rules.approve_step(change, gate, feedback=feedback, kept=kept)
    else:
        rules.approve_plan(change, gate, target.spent)


def _row(gate: GateItem, names: Names) -> GateRow:
    opened_by = called(names, user_id=gate.requested_by_id, agent_id=gate.requested_by_agent_id)
    return GateRow.of(gate, requested_by=opened_by)
