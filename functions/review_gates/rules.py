"""Who decides at a gate, and what a decision does to whatever waits there."""

from datetime import datetime

from forge.context import Caller, Role
from forge.errors import Conflict, InvalidInput
from forge.work.plans import moves
from forge.work.plans.announcements import PLAN, STEP
from forge.work.plans.budgets import limits
from forge.work.plans.budgets.limits import Spent
from forge.work.plans.changes import PlanChange
from forge.work.plans.gateway import gated_runs
from forge.work.plans.gateway.gated_runs import GatedRunItem
from forge.work.plans.goals.gates import GateItem, GateStatus
from forge.work.plans.plans import PlanItem, PlanStatus, StepStatus
from forge.work.plans.rules import Verdict
from forge.work.record.log.kinds import ISSUE
from forge.work.record.texts import KeptText
from forge.work.workspace.crews.announcements import CrewRole
from forge.work.workspace.people.members import ADMIN_ROLES

_KNOWN_TARGETS = frozenset({PLAN, STEP, ISSUE})
_STOPPED = frozenset({StepStatus.BLOCKED, StepStatus.REVIEW})


def target_meant(said: str) -> str:
    """What kind of thing that is: what we know of, however it is spelt, else the word itself."""
    spelt = said.lower().replace("_", "-")
    return spelt if spelt in _KNOWN_TARGETS else said


def role_meant(said: str | None, *, has_crew: bool) -> str | None:
    """A role that somebody can have: one of a crew or, without a crew, of the workspace."""
    if said is None:
        return None
    known = [*CrewRole, *sorted(ADMIN_ROLES)] if has_crew else [*Role]
    if said.upper() in known:
        return said.upper()
    whose = "in a crew" if has_crew else "in the workspace, because the gate has no crew"
    raise InvalidInput(
        "Nobody can have this role.", issues={"requiredRole": f"A role {whose}: {', '.join(known)}."}
    )


def require_pending(gate: GateItem) -> None:
    if gate.status is not GateStatus.PENDING:
        raise Conflict(
            f"This gate is {gate.status}: it was decided before.",
            hint='reviewGates.list {"status": "PENDING"} shows those that wait.',
        )


def is_stopped(plan: PlanItem, step_id: str | None) -> bool:
    """Whether a plan or its step waits for somebody, and at no gate yet."""
    if step_id is None:
        return plan.status is PlanStatus.BLOCKED and plan.gate_id is None
    step = plan.step(step_id)
    return step.status in _STOPPED and step.gate_id is None


def is_held(plan: PlanItem, gate: GateItem) -> bool:
    """Whether this is the gate that the plan or its step waits at: others are only kept."""
    waits_at = plan.step(gate.target_id).gate_id if gate.target_type == STEP else plan.gate_id
    return waits_at == gate.id


def hold(change: PlanChange, gate: GateItem) -> None:
    """From now on its target waits there."""
    change.gates.append(gate)
    _wait_at(change, gate, gate.id)


def let_go(change: PlanChange, gate: GateItem) -> None:
    """The question was taken back, and its target waits on."""
    _wait_at(change, gate, None)


def reject(change: PlanChange, gate: GateItem) -> None:
    """The plan is given up; its steps and their runs end afterwards."""
    moves.require_going(change.plan)
    _wait_at(change, gate, None)
    moves.give_up(change)


def approve_step(change: PlanChange, gate: GateItem, *, feedback: str, kept: KeptText | None) -> None:
    """Approve a step at its gate: one in REVIEW passes by that, a BLOCKED one is tried anew."""
    moves.require_going(change.plan)
    _wait_at(change, gate, None)
    if change.plan.step(gate.target_id).status is StepStatus.REVIEW:
        moves.judge(change, gate.target_id, Verdict.PASS, feedback=feedback, kept=kept, score=None)
    else:
        moves.try_anew(change, gate.target_id)


def approve_plan(change: PlanChange, gate: GateItem, spent: Spent) -> None:
    """Let a plan run again; each budget that it exceeded is extended by its first size."""
    moves.require_going(change.plan)
    _wait_at(change, gate, None)
    caps = limits.exceeded(change.plan, change.goal, spent, change.now)
    change.after, change.goal = limits.extended(change.plan, change.goal, caps, spent, now=change.now)
    change.move(PlanStatus.RUNNING, action="approve")


def is_asked(run: GatedRunItem, gate: GateItem) -> bool:
    """Whether this is the gate by which people are asked about the run."""
    asked = run.asked
    return asked is not None and asked.gate_id == gate.id and not asked.is_answered


def run_after(
    run: GatedRunItem, decision: GateStatus, *, reason: str | None, by: Caller, now: datetime
) -> GatedRunItem:
    """A run of the gateway, with what was decided: a yes opens the gate that it waits for."""
    awaited = gated_runs.awaited(run)
    if awaited is None or decision is GateStatus.CANCELED:
        return gated_runs.answered(run)
    if decision is GateStatus.REJECTED:
        return gated_runs.rejected(run, awaited, reason)
    return gated_runs.answered(gated_runs.approved(run, awaited, by, now))


def _wait_at(change: PlanChange, gate: GateItem, gate_id: str | None) -> None:
    if gate.target_type == STEP:
        change.set_step(gate.target_id, gate_id=gate_id)
    else:
        change.set(gate_id=gate_id)
