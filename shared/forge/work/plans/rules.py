"""The rules of the loop: which steps may begin, who waits for a place, what a verdict means, when it ends."""

from enum import StrEnum
from typing import NamedTuple

from forge.errors import Conflict
from forge.work.plans.goals.crew_loads import CrewLoadItem
from forge.work.plans.plans import AT_WORK, SETTLED, PlanItem, PlanStatus, Step, StepStatus

MOST_READY = 8
"""Steps that begin in one transaction."""
MOST_CALLED = 10
"""Plans that are called to take a place in one transaction."""
_JUDGED = frozenset({StepStatus.RUNNING, StepStatus.REVIEW})


class SettledSpine(NamedTuple):
    plan: PlanItem
    load: CrewLoadItem | None
    """None where the plan has no crew: nobody limits it then."""
    go_on: list[str]
    """Plans that have to be looked at once more, each by itself."""


def settled(plan: PlanItem, load: CrewLoadItem | None, *, max_parallel: int) -> SettledSpine:
    """Whatever was changed of a plan: what may begin begins, as far as there are places, and the rest waits.

    A place that is left over goes to the plans that wait for one.
    """
    after, load, is_cut = _begun(plan, load, max_parallel)
    if is_finished(after) and after.status is PlanStatus.RUNNING:
        after = after.changed(status=PlanStatus.COMPLETED)
    if is_cut:
        # It takes its places first; what is left then is given away then.
        return SettledSpine(after, load, [plan.id])
    if load is None:
        return SettledSpine(after, None, [])
    load, called = load.next_in_line(max_parallel, most=MOST_CALLED)
    return SettledSpine(after, load, called)


def ready(plan: PlanItem) -> list[Step]:
    """The steps that could begin now. What was canceled does not count as done."""
    return [
        step
        for step in plan.steps
        if step.status is StepStatus.TODO
        and all(plan.steps[place].status is StepStatus.DONE for place in step.depends_on)
    ]


def at_work(plan: PlanItem) -> list[str]:
    """The steps that hold a place: of a plan that runs, and of no other."""
    if plan.status is not PlanStatus.RUNNING:
        return []
    return [step.id for step in plan.steps if step.status in AT_WORK]


def is_finished(plan: PlanItem) -> bool:
    """Nothing is left to do, and there was something."""
    return bool(plan.steps) and all(step.status in SETTLED for step in plan.steps)


class Verdict(StrEnum):
    PASS = "PASS"
    FAIL = "FAIL"


class VerdictOutcome(StrEnum):
    DONE = "DONE"
    RETRY = "RETRY"
    BLOCKED = "BLOCKED"


class Judged(NamedTuple):
    outcome: VerdictOutcome
    status: StepStatus
    retry_count: int


def judged(plan: PlanItem, step: Step, verdict: Verdict) -> Judged:
    """A step that failed is tried again as often as the plan allows; then somebody has to look at it."""
    require_judged(step)
    if verdict is Verdict.PASS:
        return Judged(VerdictOutcome.DONE, StepStatus.DONE, step.retry_count)
    if step.retry_count < plan.max_step_retries:
        return Judged(VerdictOutcome.RETRY, StepStatus.TODO, step.retry_count + 1)
    return Judged(VerdictOutcome.BLOCKED, StepStatus.BLOCKED, step.retry_count)


def asked_of_people(title: str, tries: int, feedback: str) -> str:
    """The prompt of a gate for a step that failed too often: its first line stands alone, as a heading."""
    how_often = "once" if tries == 1 else f"{tries} times"
    return f"Step {title!r} failed {how_often}.\n\nLast feedback:\n\n{feedback}"


def require_judged(step: Step) -> None:
    """A verdict can be given of it now."""
    if step.status not in _JUDGED:
        raise Conflict(
            f"This step is {step.status}; a verdict is for one that is RUNNING or in REVIEW.",
            hint="It was perhaps judged before: executionPlans.get shows how it stands.",
        )


def _begun(
    plan: PlanItem, load: CrewLoadItem | None, max_parallel: int
) -> tuple[PlanItem, CrewLoadItem | None, bool]:
    """With the steps begun that can be; whether more could have, had the transaction room for them."""
    candidates = ready(plan) if plan.status is PlanStatus.RUNNING else []
    room = len(candidates)
    if load is not None:
        load = load.held_by(plan.id, at_work(plan))
        room = min(room, load.free(max_parallel))
    begun = {step.id for step in candidates[: min(room, MOST_READY)]}
    is_ready = {"status": StepStatus.READY}
    steps = [step.model_copy(update=is_ready) if step.id in begun else step for step in plan.steps]
    after = plan.changed(steps=steps)
    if load is not None:
        load = load.held_by(plan.id, at_work(after))
        load = load.awaited_by(plan.id, is_waiting=room < len(candidates) and room <= MOST_READY)
    return after, load, room > MOST_READY


def prompt_to_judge(step: Step) -> str:
    return (
        f"Judge step {step.title!r}: compare what was done with what was expected, and call"
        f' plans.recordVerdict {{"stepId": "{step.id}", "verdict": "PASS" | "FAIL", "feedback": …}}.'
    )
