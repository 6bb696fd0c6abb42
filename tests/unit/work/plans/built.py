"""Plans and crews' loads, as values."""

from collections.abc import Sequence
from datetime import UTC, datetime

from forge.work.plans.goals.crew_loads import CrewLoadItem, Held
from forge.work.plans.plans import PlanItem, PlanStatus, Step, StepStatus

NOON = datetime(2030, 1, 1, 12, tzinfo=UTC)


def a_plan(*dependencies: Sequence[int], plan_id: str = "plan_1", **fields: object) -> PlanItem:
    """A RUNNING plan with a step for each of these, which waits for those before it that are named."""
    steps = [
        Step(id=f"{plan_id}.{place}", title=f"Step {place}", depends_on=[*given])
        for place, given in enumerate(dependencies)
    ]
    plan = PlanItem(
        workspace_id="ws_1",
        id=plan_id,
        title="A plan",
        status=PlanStatus.RUNNING,
        crew_id="crew_1",
        created_at=NOON,
        updated_at=NOON,
        steps=steps,
    )
    return plan.changed(**fields)


def a_load(*, holding: Sequence[str] = (), waiting: Sequence[str] = ()) -> CrewLoadItem:
    """With these steps at work, whose ids begin with those of their plans."""
    held = [Held(step_id=one, plan_id=one.partition(".")[0]) for one in holding]
    return CrewLoadItem(workspace_id="ws_1", crew_id="crew_1", holding=held, waiting=[*waiting])


def in_status(plan: PlanItem, *statuses: StepStatus) -> PlanItem:
    """Its first steps are in these."""
    for step, status in zip(plan.steps, statuses, strict=False):
        plan = plan.with_step(step.id, status=status)
    return plan


def statuses(plan: PlanItem) -> list[StepStatus]:
    return [one.status for one in plan.steps]
