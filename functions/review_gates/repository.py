"""Finding gates, and what waits at them."""

from typing import NamedTuple

from forge.context import Context
from forge.contract.references import Kind
from forge.errors import InvalidInput, NotFound
from forge.store.keys import Key
from forge.store.pages import Found
from forge.store.readings import Readings
from forge.store.walks import one_partition
from forge.work.issues.desks import Reference, find_id, read_issues, settings_key, unknown_reference
from forge.work.issues.pages.sights import Sight, require_unnarrowed
from forge.work.plans.announcements import PLAN, STEP
from forge.work.plans.budgets.limits import Spent
from forge.work.plans.charges import open_spent
from forge.work.plans.gateway import keeping
from forge.work.plans.gateway.gated_runs import GatedRunItem
from forge.work.plans.gateway.keeping import NamedGate
from forge.work.plans.goals.gates import GATES_LISTED, GateItem
from forge.work.plans.opening import PlanDesk, anchor_of, open_step
from forge.work.record.log.kinds import ISSUE
from forge.work.workspace.crews.crews import CrewItem
from forge.work.workspace.meanings import unknown
from forge.work.workspace.people.agents import AgentItem
from forge.work.workspace.people.members import MemberItem
from forge.work.workspace.people.names import Names
from functions.review_gates import rules
from functions.review_gates.models import ListGates, OpenReviewGate


class GateTarget(NamedTuple):
    """What a gate is for: a plan or a step, an issue, a run of the gateway, or what we know nothing of."""

    id: str
    spent: Spent = Spent()
    desk: PlanDesk | None = None
    issue_id: str | None = None
    crew: CrewItem | None = None
    run: GatedRunItem | None = None


def list_page(ctx: Context, request: ListGates) -> tuple[Found[GateItem], Names]:
    """By when they were opened, the newest first; and the names of who opened them."""
    target_type = rules.target_meant(request.target_type) if request.target_type else None
    listing = one_partition(GATES_LISTED(ctx.caller.workspace_id), "updated", is_descending=True)
    sight: Sight[GateItem] = Sight(ctx, lambda gate: gate.issue_id, _openers, also=[settings_key(ctx)])
    found = sight.page(
        GateItem,
        listing,
        request,
        lambda gate: request.status in (None, gate.status) and target_type in (None, gate.target_type),
        only=GateItem.at(ctx.caller.workspace_id, request.id) if request.id else None,
    )
    return found, sight.reach.names


def _openers(gate: GateItem) -> list[Key]:
    workspace_id, user_id, agent_id = gate.workspace_id, gate.requested_by_id, gate.requested_by_agent_id
    person = [MemberItem.at(workspace_id, user_id)] if user_id else []
    return [*person, *([AgentItem.at(workspace_id, agent_id)] if agent_id else [])]


def open_gate(ctx: Context, gate_id: str) -> tuple[GateItem, GateTarget]:
    """A gate that the caller may see, and what waits there; four requests at most."""
    missing = NotFound(
        f"There is no gate {gate_id[:60]!r}.", hint="reviewGates.list shows those that this key can see."
    )
    key = GateItem.at(ctx.caller.workspace_id, gate_id)
    gate = ctx.table.get(GateItem, key, missing=missing)
    if gate.target_type in (PLAN, STEP):
        return gate, _of_plan(ctx, gate.target_type, gate.target_id, gate.crew_id)
    if gate.workflow and gate.run_id:
        require_unnarrowed(ctx.caller, "gate")
        return gate, GateTarget(gate.target_id, run=keeping.find(ctx, NamedGate(gate.workflow, gate.run_id)))
    crew = _crew_key(ctx, gate.crew_id)
    issue_ids = [gate.issue_id] if gate.issue_id else []
    known = read_issues(ctx, issue_ids, also=[settings_key(ctx), *crew]).readings
    anchor_of(ctx, gate.issue_id, known, what="gate")
    return gate, GateTarget(gate.target_id, issue_id=gate.issue_id, crew=_crew_in(known, crew))


def open_target(ctx: Context, target_type: str, request: OpenReviewGate) -> GateTarget:
    """What a gate is to be opened for: all that it names must be there; three requests at most."""
    crew = _crew_key(ctx, request.crew_id)
    if target_type in (PLAN, STEP):
        target = _of_new(ctx, target_type, request)
    elif target_type == ISSUE:
        issue_id = find_id(ctx, request.target_id)
        reach = read_issues(ctx, [issue_id], also=[settings_key(ctx), *crew])
        missing = unknown_reference("targetId", request.target_id)
        reach.show(Reference(issue_id), missing=missing)
        target = GateTarget(issue_id, issue_id=issue_id, crew=_crew_in(reach.readings, crew))
    else:
        require_unnarrowed(ctx.caller, "gate")
        target = GateTarget(request.target_id, crew=_crew_in(ctx.table.read(crew), crew))
    if request.crew_id and (target.crew is None or target.crew.archived_at is not None):
        raise unknown(Kind.CREW, "crewId", request.crew_id)
    return target


def _of_new(ctx: Context, target_type: str, request: OpenReviewGate) -> GateTarget:
    try:
        return _of_plan(ctx, target_type, request.target_id, request.crew_id)
    except NotFound as error:
        what = "plan" if target_type == PLAN else "step"
        raise InvalidInput(
            f"Unknown {what}.", issues={"targetId": f"There is no such {what}; {error.hint}"}
        ) from None


def _of_plan(ctx: Context, target_type: str, target_id: str, crew_id: str | None) -> GateTarget:
    crew = _crew_key(ctx, crew_id)
    if target_type == STEP:
        desk, spent = open_step(ctx, target_id, also=crew), Spent()
    else:
        desk, spent = open_spent(ctx, target_id, also=crew)
    return GateTarget(target_id, spent, desk, desk.plan.issue_id, _crew_in(desk.readings, crew))


def _crew_key(ctx: Context, crew_id: str | None) -> list[Key]:
    return [CrewItem.at(ctx.caller.workspace_id, crew_id)] if crew_id else []


def _crew_in(known: Readings, named: list[Key]) -> CrewItem | None:
    return known.find(CrewItem, named[0]) if named else None
