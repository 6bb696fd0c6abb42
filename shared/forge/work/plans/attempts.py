"""The door to a goal with the attempts at it: it is there, and about an issue that the caller may see."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from forge.context import Context
from forge.store.keys import Key
from forge.store.readings import Readings
from forge.work.issues.changes import IssueChange
from forge.work.issues.desks import Desk, read_issues, settings_key
from forge.work.plans.changes import PlanChange
from forge.work.plans.goals.crew_loads import CrewLoadItem
from forge.work.plans.goals.goals import GoalItem, no_such_goal
from forge.work.plans.opening import anchor_of, desk_of
from forge.work.plans.plans import PlanItem
from forge.work.workspace.crews.crews import CrewItem

Attempts = Callable[[GoalItem], Iterable[str]]


class GoalDesk(NamedTuple):
    """A goal, those of its plans that were asked for, its crew, and its issue on a desk of its own."""

    ctx: Context
    goal: GoalItem
    readings: Readings
    anchor: Desk | None

    @property
    def crew(self) -> CrewItem | None:
        crew_id, workspace_id = self.goal.crew_id, self.goal.workspace_id
        return self.readings.find(CrewItem, CrewItem.at(workspace_id, crew_id)) if crew_id else None

    def find_plan(self, plan_id: str) -> PlanItem | None:
        return self.readings.find(PlanItem, PlanItem.at(self.goal.workspace_id, plan_id))

    def change_of(self, plan_id: str, issue: IssueChange | None = None) -> PlanChange:
        """A change of one of its plans; a request more where that has another crew.

        `issue` is the change of the goal's issue, where that happens in the same call.
        """
        desk = desk_of(self.ctx, plan_id, self.readings)
        is_same = issue is not None and desk.plan.issue_id == issue.issue.id
        return PlanChange(desk, issue if is_same else None)


def every_attempt(goal: GoalItem) -> list[str]:
    return goal.plan_ids


def active_attempt(goal: GoalItem) -> list[str]:
    return [goal.active_plan_id] if goal.active_plan_id else []


def open_goal(
    ctx: Context, goal_id: str, attempts: Attempts, *, first: Iterable[Key] = (), also: Iterable[Key] = ()
) -> GoalDesk:
    """The goal that a call is about; two requests, `first` and `also` being read with each."""
    workspace_id = ctx.caller.workspace_id
    key = GoalItem.at(workspace_id, goal_id)
    known = ctx.table.read([key, settings_key(ctx), *first])
    goal = known.find(GoalItem, key)
    if goal is None:
        raise no_such_goal(goal_id)
    wanted = [PlanItem.at(workspace_id, one) for one in attempts(goal)]
    if goal.crew_id:
        wanted.append(CrewItem.at(workspace_id, goal.crew_id))
        wanted.append(CrewLoadItem.at(workspace_id, goal.crew_id))
    read_issues(ctx, [goal.issue_id] if goal.issue_id else [], also=[*wanted, *also], readings=known)
    return GoalDesk(ctx, goal, known, anchor_of(ctx, goal.issue_id, known, what="goal"))
