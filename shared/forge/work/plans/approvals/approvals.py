"""Approving a plan: to what a yes is one, what whoever decides is shown, and what a yes does.

An approval is an action request whose source is the plan; whoever asks for it binds it to the plan's steps.
"""

import json
from datetime import datetime, timedelta
from hashlib import sha256

from forge.context import Context
from forge.contract.models import Model, Omittable, OmittableList
from forge.store.blobs import Blobs
from forge.store.keys import Key
from forge.store.readings import Readings
from forge.work.issues.changes import IssueChange
from forge.work.plans import moves
from forge.work.plans.announcements import PLAN
from forge.work.plans.changes import PlanChange
from forge.work.plans.goals.deciders import REPLACED
from forge.work.plans.opening import desk_of
from forge.work.plans.plans import NOT_BEGUN, PlanCostItem, PlanItem, Step, StepTextItem
from forge.work.plans.requests.cards import called
from forge.work.plans.requests.requests import RequestItem
from forge.work.plans.waits.waits import COURSES, WaitKind
from forge.work.record import texts
from forge.work.workspace.crews.announcements import CrewRole
from forge.work.workspace.people.agents import AgentItem
from forge.work.workspace.people.members import MemberItem
from forge.work.workspace.people.names import Names

_MOST_SHOWN = 60
_MOST_TEXT = 12_000
"""Characters of all texts of the steps together: a card is one answer."""


class StepShown(Model):
    """A step as whoever approves of it sees it; `after` counts from 1. executionPlans.get has what is cut."""

    id: str
    title: str
    body: Omittable[str] = None
    expected_output: Omittable[str] = None
    verification: OmittableList[str] = []
    assigned_to: Omittable[str] = None
    assigned_role: Omittable[CrewRole] = None
    after: OmittableList[int] = []
    truncated: Omittable[bool] = None


def keys_of(request: RequestItem) -> list[Key]:
    """The keys of the plan that a request is about, and of its costs."""
    if request.source_type != PLAN or not request.source_id:
        return []
    workspace_id, plan_id = request.workspace_id, request.source_id
    return [PlanItem.at(workspace_id, plan_id), PlanCostItem.at(workspace_id, plan_id)]


def plan_in(readings: Readings, request: RequestItem) -> PlanItem | None:
    """None where the request is about none, or about one that is not there."""
    places = keys_of(request)
    return readings.find(PlanItem, places[0]) if places else None


def state_of(plan: PlanItem) -> str:
    """Stands for everything that a yes lets happen: another step, text or assignee is another plan."""
    steps = [
        [
            *(one.id, one.title, one.depends_on, one.assigned_agent_id, one.assigned_user_id),
            one.assigned_role,
            # A step from before texts were told by the spine is as it was shown then.
            *([one.texts_digest] if one.texts_digest else []),
        ]
        for one in plan.steps
    ]
    shown = [plan.id, steps, plan.crew_id, plan.max_total_cost_usd, plan.max_wall_time_minutes]
    return sha256(json.dumps(shown).encode()).hexdigest()[:32]


def steps_as_text(plan: PlanItem) -> str:
    """The steps in their order, each with what it waits for."""
    lines = []
    for place, step in enumerate(plan.steps[:_MOST_SHOWN]):
        after = ", ".join(str(one + 1) for one in step.depends_on)
        lines.append(f"{place + 1}. {step.title[:120]}{f' (after {after})' if after else ''}")
    left = len(plan.steps) - _MOST_SHOWN
    return "\n".join([*lines, f"… and {left} more."] if left > 0 else lines)


def lapses_at(request: RequestItem) -> datetime:
    """When a request to approve a plan is dismissed, if nobody decides before."""
    lasts = (leg.lasts for leg in COURSES[WaitKind.PLAN_APPROVAL].legs)
    return request.created_at + sum(lasts, timedelta())


def keys_of_steps(plan: PlanItem) -> list[Key]:
    """What a card shows of the steps: their texts, and who does them."""
    workspace_id, shown = plan.workspace_id, plan.steps[:_MOST_SHOWN]
    return [
        *(StepTextItem.at(workspace_id, one.id) for one in shown),
        *(AgentItem.at(workspace_id, one.assigned_agent_id) for one in shown if one.assigned_agent_id),
        *(MemberItem.at(workspace_id, one.assigned_user_id) for one in shown if one.assigned_user_id),
    ]


def steps_shown(plan: PlanItem, readings: Readings, names: Names, blobs: Blobs) -> list[StepShown]:
    """The steps in their order, with as much of their texts as there is room for."""
    shown = plan.steps[:_MOST_SHOWN]
    most = _MOST_TEXT // (3 * max(len(shown), 1))
    return [_shown(plan, one, readings, names, blobs=blobs, most=most) for one in shown]


def _shown(
    plan: PlanItem, step: Step, readings: Readings, names: Names, *, blobs: Blobs, most: int
) -> StepShown:
    text = readings.find(StepTextItem, StepTextItem.at(plan.workspace_id, step.id))
    said = {"body": text.body if text else None, "expected_output": text.expected_output if text else None}
    whole = {name: texts.read(blobs, kept) if kept else None for name, kept in said.items()}
    asked = text.verification if text else []
    labels = [f"{one.label} ({one.value})" if one.value else one.label for one in asked]
    checks = "\n".join(" ".join(one.split()) for one in labels)
    is_cut = any(len(one) > most for one in (*whole.values(), checks) if one)
    return StepShown(
        id=step.id,
        title=step.title[:120],
        **{name: one[:most] if one else None for name, one in whole.items()},
        verification=checks[:most].splitlines(),
        assigned_to=called(names, user_id=step.assigned_user_id, agent_id=step.assigned_agent_id),
        assigned_role=step.assigned_role,
        after=[one + 1 for one in step.depends_on],
        truncated=is_cut or len(step.title) > 120 or None,
    )


def said_beyond(body: str | None, plan: PlanItem) -> str | None:
    """What a request says beyond the steps that its card shows, as they are or were before more came."""
    return None if body and steps_as_text(plan).startswith(body) else body


def effect_of(plan: PlanItem, readings: Readings) -> str:
    """What accepting does, for its card."""
    cost = readings.find(PlanCostItem, PlanCostItem.at(plan.workspace_id, plan.id))
    spent = f"${cost.total_cost_usd if cost else 0:.2f} spent so far"
    most = f" of at most ${plan.max_total_cost_usd:.2f}" if plan.max_total_cost_usd is not None else ""
    return f"Lets {plan.title!r} run, {spent}{most}. Its steps:\n{steps_as_text(plan)}"


def is_current(plan: PlanItem) -> bool:
    """Whether a plan is its goal's active attempt; a plan without a goal always is."""
    return plan.goal_id is None or plan.is_active_attempt


def since(plan: PlanItem | None, request: RequestItem) -> list[str]:
    """What happened to the plan since its approval was asked for, for the person who decides."""
    if plan is None:
        return ["The plan is not there any more."] if keys_of(request) else []
    found = []
    if plan.status not in NOT_BEGUN:
        found.append(f"The plan is {plan.status} already.")
    if not is_current(plan):
        found.append(REPLACED)
    if plan.updated_at > request.created_at:
        found.append("The plan changed after this was asked.")
    return found


def activation(
    ctx: Context, request: RequestItem, readings: Readings, *, issue: IssueChange | None
) -> PlanChange | None:
    """What a yes does to the plan, as part of the change of its issue; one request."""
    plan = plan_in(readings, request)
    if plan is None:
        return None
    change = PlanChange(desk_of(ctx, plan.id, readings), issue)
    if plan.approval_id == request.id:
        # Settled by this very yes, and not in vain.
        change.set(approval_id=None)
    moves.activate(change)
    return change
