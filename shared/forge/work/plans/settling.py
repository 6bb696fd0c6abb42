"""What people were asked about a plan is settled along with it only by who may decide it."""

from typing import NamedTuple

from forge.context import Caller
from forge.errors import Forbidden
from forge.store.keys import Key
from forge.work.issues import issue_keys
from forge.work.orchestration import deciders
from forge.work.orchestration.crews import CrewItem
from forge.work.orchestration.gates import GateItem, GateStatus
from forge.work.plans.plans import PlanItem
from forge.work.requests import deciding
from forge.work.requests.requests import RequestItem, RequestStatus, RequestTextItem


class Settled(NamedTuple):
    """A request for approval that the plan's change answers or makes pointless."""

    request: RequestItem
    texts: RequestTextItem
    status: RequestStatus
    reason: str


def require_may_close(gate: GateItem | None, caller: Caller, crew: CrewItem | None) -> None:
    """A gate that is pending is closed by a change only as it could be decided. The crew is the plan's."""
    if gate is None or gate.status is not GateStatus.PENDING or _is_nobody(caller):
        return
    is_of_crew = crew is not None and gate.crew_id == crew.id
    deciders.require_may_resolve(gate, caller, crew if is_of_crew else None)


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
    return [issue_keys.watch(plan.workspace_id, issue_id, user_id)] if user_id and issue_id else []


def _is_nobody(caller: Caller) -> bool:
    """What happens by itself, after somebody decided or time is up."""
    return caller.agent_id is None and caller.user_id is None
