"""Finding gates, and what waits at them."""

from typing import NamedTuple

from forge.context import Context
from forge.contract.references import Kind
from forge.errors import InvalidInput, NotFound
from forge.store import keys
from forge.store.keys import Key
from forge.store.pages import Found
from forge.store.readings import Readings
from forge.store.walks import one_partition
from forge.work.budgets.enforcing import open_spent
from forge.work.budgets.limits import Spent
from forge.work.orchestration import orchestration_keys
from forge.work.orchestration.crews import CrewItem
from forge.work.orchestration.gates import KIND, GateItem
from forge.work.paging.sights import read_of_issues, require_unnarrowed
from forge.work.plans.announcements import PLAN, STEP
from forge.work.plans.opening import PlanDesk, open_step
from forge.work.references.meanings import unknown
from functions.review_gates.models import ListGates, OpenGate


class Target(NamedTuple):
    """What a gate is for: a plan or a step of it, or None where we know nothing of such things."""

    desk: PlanDesk | None
    spent: Spent
    crew: CrewItem | None


def list_page(ctx: Context, request: ListGates) -> Found[GateItem]:
    """By when they were opened, the newest first."""

    def accepts(gate: GateItem) -> bool:
        return request.status in (None, gate.status) and request.target_type in (None, gate.target_type)

    found, _ = read_of_issues(
        ctx,
        GateItem,
        one_partition(keys.updated(ctx.caller.workspace_id, KIND), "updated", is_descending=True),
        lambda gate: gate.issue_id,
        limit=request.limit,
        cursor=request.cursor,
        accepts=accepts,
    )
    return found


def get(ctx: Context, gate_id: str) -> GateItem:
    missing = NotFound(
        f"There is no gate {gate_id[:60]!r}.", hint="reviewGates.list shows those that this key can see."
    )
    return ctx.table.get(GateItem, orchestration_keys.gate(ctx.caller.workspace_id, gate_id), missing=missing)


def open_target(ctx: Context, target_type: str, target_id: str, crew_id: str | None) -> Target:
    """What waits at a gate, which the caller may see, and the gate's crew; three requests at most."""
    named = _crew_key(ctx, crew_id)
    also = [named] if named else []
    spent = Spent()
    if target_type == PLAN:
        desk, spent = open_spent(ctx, target_id, also=also)
    elif target_type == STEP:
        desk = open_step(ctx, target_id, also=also)
    else:
        require_unnarrowed(ctx.caller, "gate")
        known = ctx.table.read(also)
        return Target(None, spent, _crew_in(known, named))
    return Target(desk, spent, _crew_in(desk.readings, named))


def open_new(ctx: Context, request: OpenGate) -> Target:
    """The same for a gate that is to be opened: all that it names must be there."""
    try:
        target = open_target(ctx, request.target_type, request.target_id, request.crew_id)
    except NotFound as error:
        what = "plan" if request.target_type == PLAN else "step"
        raise InvalidInput(
            f"Unknown {what}.", issues={"targetId": f"There is no such {what}; {error.hint}"}
        ) from None
    if request.crew_id and (target.crew is None or target.crew.archived_at is not None):
        raise unknown(Kind.CREW, "crewId", request.crew_id)
    return target


def _crew_key(ctx: Context, crew_id: str | None) -> Key | None:
    return orchestration_keys.crew(ctx.caller.workspace_id, crew_id) if crew_id else None


def _crew_in(known: Readings, key: Key | None) -> CrewItem | None:
    return known.find(CrewItem, key) if key else None
