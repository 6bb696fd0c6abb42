"""Who decides about plans, steps and gates: people, and in one crew whoever stands for them there."""

from typing import NamedTuple

from forge.auth.bounds import rank_of
from forge.context import Caller, Role
from forge.errors import Conflict, Forbidden
from forge.store.keys import Key
from forge.work.issues.watchers import WatchItem
from forge.work.plans.goals.gates import GateItem, GateStatus
from forge.work.plans.plans import NOT_BEGUN, PlanItem, PlanStatus, Step, StepStatus
from forge.work.plans.requests import deciding
from forge.work.plans.requests.requests import RequestItem, RequestStatus, RequestTextItem
from forge.work.workspace.crews.announcements import CrewRole
from forge.work.workspace.crews.crews import CrewItem
from forge.work.workspace.people.members import ADMIN_ROLES

REPLACED = "Another attempt at the goal took its place."


def decides(caller: Caller, crew: CrewItem | None) -> bool:
    """Whether a person calls, or who stands for people in the crew; what happens by itself was decided."""
    return caller.agent_id is None or has_role(crew, caller.agent_id, CrewRole.OPERATOR_PROXY)


def has_role(crew: CrewItem | None, agent_id: str, role: str) -> bool:
    """Whether an agent has this role in the crew; in an archived crew nobody has one."""
    if crew is None or crew.archived_at is not None:
        return False
    return any(one.agent_id == agent_id and one.role == role.upper() for one in crew.members)


def require_may_start(plan: PlanItem, caller: Caller, crew: CrewItem | None, *, needs_a_person: bool) -> None:
    """A plan runs when a person said so: now, or before, of the steps that it still has."""
    if decides(caller, crew) or plan.approved_by_id is not None or not needs_a_person:
        return
    raise Forbidden(
        "A person approves a plan before it runs.",
        hint="Ask one with plans.requestApproval; accepting that lets the plan run.",
    )


def require_may_resume(caller: Caller, crew: CrewItem | None) -> None:
    if not decides(caller, crew):
        raise Forbidden(
            "A plan that was stopped goes on when a person says so.",
            hint="Ask one with actionRequests.create.",
        )


def require_may_end(plan: PlanItem, step: Step, caller: Caller, crew: CrewItem | None) -> None:
    """Who works on a step does not end it where somebody else is to judge that."""
    if decides(caller, crew):
        return
    has_reviewer = crew is not None and any(one.role is CrewRole.REVIEWER for one in crew.members)
    if step.gate_id or plan.auto_judge or has_reviewer:
        raise Forbidden(
            "This step ends when it was judged, or when people have decided at its review gate.",
            hint="runs.complete, or executionPlans.transitionStep to REVIEW, calls whoever judges it.",
            details={"gateId": step.gate_id} if step.gate_id else {},
        )


def require_may_unblock(step: Step, caller: Caller, crew: CrewItem | None) -> None:
    """A BLOCKED step goes on through its gate alone; where nobody asks at one, as a person says."""
    if step.status is not StepStatus.BLOCKED:
        return
    if not decides(caller, crew):
        raise Forbidden(
            "A BLOCKED step goes on when people say so at its review gate.",
            hint="reviewGates.list shows the gate; reviewGates.open asks at a new one.",
            details={"gateId": step.gate_id} if step.gate_id else {},
        )
    if step.gate_id:
        raise Conflict(
            "This step waits at a review gate, and goes on when that is decided.",
            hint=f'reviewGates.resolve {{"id": "{step.gate_id}", "decision": "APPROVED"}} tries it anew.',
        )


def require_judge(step: Step, caller: Caller, crew: CrewItem | None) -> None:
    """A verdict is for whoever was called to judge the step, a REVIEWER of its crew, or a person."""
    agent_id = caller.agent_id
    is_called = agent_id is not None and agent_id == step.judge_agent_id
    if is_called or decides(caller, crew) or has_role(crew, str(agent_id), CrewRole.REVIEWER):
        return
    raise Forbidden(
        "This step is judged by whoever was called to, by a REVIEWER of its crew, or by a person.",
        hint="plans.judge calls the reviewer.",
    )


def require_may_appoint(
    step: Step, judge_id: str, caller: Caller, crew: CrewItem | None, *, reviewer_id: str | None
) -> None:
    """Neither who did a step nor an agent of its own accord becomes its judge where another REVIEWER is."""
    is_worker = judge_id == step.assigned_agent_id
    is_itself = judge_id == caller.agent_id and not has_role(crew, judge_id, CrewRole.REVIEWER)
    if (is_worker or is_itself) and reviewer_id not in (None, judge_id):
        raise Forbidden(
            "Nobody judges their own step, nor appoints themselves, where the crew has another REVIEWER.",
            hint="Leave judgeAgentId out to call the reviewer.",
            details={"judgeAgentId": reviewer_id},
        )


def may_resolve(gate: GateItem, caller: Caller, crew: CrewItem | None) -> bool:
    """The crew is the gate's. A key that is linked to an agent acts for that, whoever it belongs to.

    Who opens a gate does not say whose word counts there and then give it.
    """
    if caller.agent_id is not None:
        is_own = gate.requested_by_agent_id == caller.agent_id
        wanted = CrewRole.OPERATOR_PROXY if is_own else gate.required_role or CrewRole.OPERATOR_PROXY
        return has_role(crew, caller.agent_id, wanted)
    if caller.role is None:
        return False
    if caller.role in ADMIN_ROLES or gate.required_role is None:
        return True
    wanted_role = gate.required_role.upper()
    if gate.crew_id is not None or wanted_role not in Role.__members__:
        return False
    return rank_of(caller.role) >= rank_of(Role(wanted_role))


def require_may_resolve(gate: GateItem, caller: Caller, crew: CrewItem | None) -> None:
    """The crew is the gate's, None where it has none."""
    if may_resolve(gate, caller, crew):
        return
    asked = f"the role {gate.required_role}" if gate.required_role else "people"
    whom = "an owner or admin of the workspace"
    if crew is not None:
        role = gate.required_role or CrewRole.OPERATOR_PROXY
        whom = f"an agent of crew {crew.name!r} who is {role}, or {whom}"
    elif gate.required_role is None:
        whom = "a person"
    raise Forbidden(f"This gate is for {asked} to decide.", hint=f"Ask {whom}.", details={"gateId": gate.id})


_DECIDING = frozenset({CrewRole.OPERATOR_PROXY, CrewRole.REVIEWER})


def require_founder(role: CrewRole, caller: Caller) -> None:
    """Nobody stands for people unless people say so."""
    if caller.agent_id is not None and role is CrewRole.OPERATOR_PROXY:
        raise _for_people(role)


def require_may_give(role: CrewRole, agent_id: str, caller: Caller) -> None:
    """No agent makes itself a judge of what others do, either."""
    require_founder(role, caller)
    if caller.agent_id == agent_id and role in _DECIDING:
        raise _for_people(role)


def require_may_take(role: CrewRole, caller: Caller) -> None:
    """Whoever judges and stands for people does so until people say otherwise."""
    if caller.agent_id is not None and role in _DECIDING:
        raise _for_people(role)


def _for_people(role: CrewRole) -> Forbidden:
    return Forbidden(
        f"Who is {role} of a crew is for people to say.", hint="Ask an admin with actionRequests.create."
    )


def require_may_close(gate: GateItem | None, caller: Caller, crew: CrewItem | None) -> None:
    """A gate that is pending is closed by a change only as it could be decided. The crew is the plan's."""
    if gate is None or gate.status is not GateStatus.PENDING or _is_nobody(caller):
        return
    is_of_crew = crew is not None and gate.crew_id == crew.id
    require_may_resolve(gate, caller, crew if is_of_crew else None)


class Answered(NamedTuple):
    """A request for approval that is settled with the plan."""

    request: RequestItem
    texts: RequestTextItem
    status: RequestStatus
    reason: str


def answered(
    request: RequestItem, texts: RequestTextItem, plan: PlanItem, caller: Caller, *, is_watching: bool
) -> Answered | None:
    """What becomes of a request that is open once the plan is like this; refused where it is not for them."""
    is_begun = plan.status is PlanStatus.RUNNING
    is_given_up = not is_begun and not plan.can_begin
    if is_begun or is_given_up or plan.status is PlanStatus.APPROVED:
        require_may_answer(request, caller, is_watching=is_watching, is_withdrawn=is_given_up)
    if plan.can_begin:
        return None
    status = RequestStatus.RESOLVED if is_begun else RequestStatus.DISMISSED
    reason = REPLACED if plan.status in NOT_BEGUN else f"The plan is {plan.status} by now."
    return Answered(request, texts, status, reason)


def require_may_answer(
    request: RequestItem, caller: Caller, *, is_watching: bool, is_withdrawn: bool
) -> None:
    """Letting a plan run is a yes to whoever asked for it; who asked may take the question back."""
    if _is_nobody(caller) or deciding.may_decide(caller, request, is_watching=is_watching):
        return
    if is_withdrawn and deciding.is_requester(caller, request):
        return
    raise Forbidden(
        "People are asked about this plan, and it is theirs to decide.",
        hint="Wait for the answer; whoever asked can withdraw it: actionRequests.transition to DISMISSED.",
        details={"actionRequestId": request.id},
    )


def watch_of(caller: Caller, plan: PlanItem) -> list[Key]:
    """What tells whether the caller watches the plan's issue."""
    user_id, issue_id = caller.user_id, plan.issue_id
    return [WatchItem.at(plan.workspace_id, issue_id, user_id)] if user_id and issue_id else []


def _is_nobody(caller: Caller) -> bool:
    """What happens by itself, after somebody decided or time is up."""
    return caller.agent_id is None and caller.user_id is None
