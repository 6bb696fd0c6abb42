"""The one door to a plan, by its id or by a step's: it is there, and about an issue that the caller may see.

A plan desk is an open plan with everything that a change of it is decided on.
"""

from collections.abc import Iterable
from typing import NamedTuple

from forge.context import Context
from forge.errors import NotFound
from forge.store.keys import Key
from forge.store.readings import Readings
from forge.work.issues.desks import (
    Desk,
    Reach,
    Reference,
    no_such_issue,
    read_issues,
    settings_in,
    settings_key,
)
from forge.work.issues.pages.sights import require_unnarrowed
from forge.work.plans.goals.crew_loads import CrewLoadItem
from forge.work.plans.goals.goals import GoalItem
from forge.work.plans.plans import PlanItem, StepTextItem, no_such_plan, no_such_step
from forge.work.workspace.crews.crews import CrewItem
from forge.work.workspace.people.agents import AgentItem
from forge.work.workspace.workspaces import WorkspaceItem


class PlanDesk(NamedTuple):
    """A plan, its goal, its crew with its load, and its issue on a desk of its own."""

    ctx: Context
    readings: Readings
    plan: PlanItem
    goal: GoalItem | None
    crew: CrewItem | None
    stored_load: CrewLoadItem | None
    """None where nothing of the crew was ever at work."""
    anchor: Desk | None
    """The issue that its runs are for; None where there is none, or none any more."""

    @property
    def workspace(self) -> WorkspaceItem:
        return settings_in(self.ctx, self.readings)

    @property
    def load(self) -> CrewLoadItem | None:
        """None where the plan has no crew."""
        if self.crew is None:
            return None
        return self.stored_load or CrewLoadItem(workspace_id=self.plan.workspace_id, crew_id=self.crew.id)

    @property
    def max_parallel(self) -> int:
        return self.crew.max_parallel if self.crew else 0

    def find_agent(self, agent_id: str) -> AgentItem | None:
        return self.readings.find(AgentItem, AgentItem.at(self.plan.workspace_id, agent_id))

    def agent(self, agent_id: str) -> AgentItem | None:
        """One who is there and was not archived."""
        found = self.find_agent(agent_id)
        return found if found is not None and found.archived_at is None else None

    def keys_of_crew(self) -> list[Key]:
        members = self.crew.members if self.crew else []
        return [AgentItem.at(self.plan.workspace_id, one.agent_id) for one in members]


def open_plan(
    ctx: Context, plan_id: str, *, also: Iterable[Key] = (), readings: Readings | None = None
) -> PlanDesk:
    """The plan that a call is about; two requests, and `also` is read with the second."""
    key = PlanItem.at(ctx.caller.workspace_id, plan_id)
    known = readings or Readings(ctx.table)
    known.fetch([key, settings_key(ctx)])
    return desk_of(ctx, plan_id, known, also=also)


def open_step(ctx: Context, step_id: str, *, also: Iterable[Key] = ()) -> PlanDesk:
    """The plan of a step, which is named by its id alone, with the step's texts; three requests."""
    known = find_step(ctx, step_id)
    if known is None:
        raise no_such_step(step_id)
    plan_id, readings = known
    desk = open_plan(ctx, plan_id, also=also, readings=readings)
    desk.plan.position_of(step_id)
    return desk


def find_step(ctx: Context, step_id: str) -> tuple[str, Readings] | None:
    """The plan that a step is of, and what was read to know that."""
    place = StepTextItem.at(ctx.caller.workspace_id, step_id)
    readings = ctx.table.read([place])
    found = readings.find_named(StepTextItem, place)
    return (found.plan_id, readings) if found else None


def desk_of(ctx: Context, plan_id: str, known: Readings, *, also: Iterable[Key] = ()) -> PlanDesk:
    """The desk of a plan that was read already: with its goal, crew and issue, in one request."""
    plan = known.find(PlanItem, PlanItem.at(ctx.caller.workspace_id, plan_id))
    if plan is None:
        raise no_such_plan(plan_id)
    issue_ids = [plan.issue_id] if plan.issue_id else []
    workspace_id, wanted = plan.workspace_id, [*also]
    if plan.goal_id:
        wanted.append(GoalItem.at(workspace_id, plan.goal_id))
    if plan.crew_id:
        wanted += [CrewItem.at(workspace_id, plan.crew_id), CrewLoadItem.at(workspace_id, plan.crew_id)]
    read_issues(ctx, issue_ids, also=wanted, readings=known)
    goal_id, crew_id = plan.goal_id, plan.crew_id
    return PlanDesk(
        ctx,
        known,
        plan,
        goal=known.find(GoalItem, GoalItem.at(workspace_id, goal_id)) if goal_id else None,
        crew=known.find(CrewItem, CrewItem.at(workspace_id, crew_id)) if crew_id else None,
        stored_load=known.find(CrewLoadItem, CrewLoadItem.at(workspace_id, crew_id)) if crew_id else None,
        anchor=anchor_of(ctx, plan.issue_id, known),
    )


def anchor_of(ctx: Context, issue_id: str | None, known: Readings, *, what: str = "plan") -> Desk | None:
    """The issue of a plan or a goal, whose head was read, if the caller may see it; else why not."""
    if issue_id is None:
        require_unnarrowed(ctx.caller, what)
        return None
    try:
        return Reach(ctx, known).open(Reference(issue_id), missing=no_such_issue(issue_id))
    except NotFound:
        # Archived since: the plan is still there, for keys that see all issues.
        require_unnarrowed(ctx.caller, what)
        return None
