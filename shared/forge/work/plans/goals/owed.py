"""What agents owe a plan besides its steps, as far as the spine tells: to make it, and to judge steps."""

from collections.abc import Iterable, Iterator

from forge.store.followers import Follower, Tally
from forge.work.issues.inbox.rows import WaitingItem, What
from forge.work.plans.plans import PlanItem, Step
from forge.work.workspace.crews.crews import CREW_PLANS


def released(plan: PlanItem, moved: Iterable[Step]) -> PlanItem:
    """Nobody owes what is not wanted any more: a plan that is made or put aside, a step that moved on."""
    if plan.planner_called_at and not plan.is_planned:
        plan = plan.changed(planner_called_at=None)
    for step in moved:
        if step.judge_agent_id:
            plan = plan.with_step(step.id, judge_agent_id=None)
    return plan


def follows(plan: PlanItem) -> Iterator[Follower]:
    """All that is stored of a plan elsewhere: what is owed to it, and that its crew has one more at work."""
    yield from owed_of(plan)
    if plan.crew_id and not plan.is_over:
        yield Tally(CREW_PLANS(plan.workspace_id, plan.crew_id), "plans")


def owed_of(plan: PlanItem) -> list[WaitingItem]:
    """What stands in the inboxes of those who plan and judge."""
    common = {"workspace_id": plan.workspace_id, "plan_id": plan.id, "goal_id": plan.goal_id}
    found = [
        WaitingItem(
            agent_id=step.judge_agent_id,
            what=What.TO_JUDGE,
            subject_id=step.id,
            title=step.title,
            since=step.judge_called_at or plan.updated_at,
            issue_id=plan.issue_id,
            **common,
        )
        for step in plan.steps
        if step.judge_agent_id
    ]
    if plan.planner_called_at and plan.planner_agent_id:
        found.append(
            WaitingItem(
                agent_id=plan.planner_agent_id,
                what=What.TO_PLAN,
                subject_id=plan.id,
                title=plan.title,
                since=plan.planner_called_at,
                issue_id=plan.issue_id,
                **common,
            )
        )
    return found
