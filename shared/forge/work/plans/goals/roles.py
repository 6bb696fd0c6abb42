"""Who does what in a crew."""

from collections.abc import Callable
from operator import attrgetter

from forge.work.plans.plans import PlanItem, Step
from forge.work.workspace.crews.announcements import CrewRole
from forge.work.workspace.crews.crews import CrewItem

AtWork = Callable[[str], object]
"""Whether an agent is there, and was not archived: the agent, or nothing."""


def holder_of(crew: CrewItem | None, role: CrewRole, at_work: AtWork) -> str | None:
    """The first who has the role."""
    return next(iter(_holders(crew, role, at_work)), None)


def worker_of(step: Step, crew: CrewItem | None, at_work: AtWork) -> str | None:
    """Whom the step names and who is still there, else whoever has its role; nobody is no mistake."""
    if step.assigned_agent_id and at_work(step.assigned_agent_id):
        return step.assigned_agent_id
    if step.assigned_user_id:
        # A person does it, and looks at the plan.
        return None
    return holder_of(crew, step.assigned_role or CrewRole.WORKER, at_work)


def judge_of(plan: PlanItem, step: Step, crew: CrewItem | None, at_work: AtWork) -> str | None:
    """Who judges without being asked to; nobody where the plan leaves it to people."""
    return reviewer_of(step, crew, at_work) if plan.auto_judge else None


def reviewer_of(step: Step, crew: CrewItem | None, at_work: AtWork) -> str | None:
    """The first reviewer who did not do the step; who did it only where there is no other."""
    found = _holders(crew, CrewRole.REVIEWER, at_work)
    others = [one for one in found if one != step.assigned_agent_id]
    return next(iter(others or found), None)


def _holders(crew: CrewItem | None, role: CrewRole, at_work: AtWork) -> list[str]:
    """In their order. A crew that was archived gets nothing new."""
    if crew is None or crew.archived_at is not None:
        return []
    members = sorted(crew.members, key=attrgetter("position"))
    return [one.agent_id for one in members if one.role is role and at_work(one.agent_id)]
