"""What a verdict on a step comes to."""

from enum import StrEnum
from typing import NamedTuple

from forge.errors import Conflict
from forge.work.plans.plans import PlanItem, Step, StepStatus

_JUDGED = frozenset({StepStatus.RUNNING, StepStatus.REVIEW})


class Verdict(StrEnum):
    PASS = "PASS"
    FAIL = "FAIL"


class Outcome(StrEnum):
    DONE = "DONE"
    RETRY = "RETRY"
    BLOCKED = "BLOCKED"


class Judged(NamedTuple):
    outcome: Outcome
    status: StepStatus
    retry_count: int


def judged(plan: PlanItem, step: Step, verdict: Verdict) -> Judged:
    """A step that failed is tried again as often as the plan allows; then somebody has to look at it."""
    if step.status not in _JUDGED:
        raise Conflict(
            f"This step is {step.status}; a verdict is for one that is RUNNING or in REVIEW.",
            hint="It was perhaps judged before: executionPlans.get shows how it stands.",
        )
    if verdict is Verdict.PASS:
        return Judged(Outcome.DONE, StepStatus.DONE, step.retry_count)
    if step.retry_count < plan.max_step_retries:
        return Judged(Outcome.RETRY, StepStatus.TODO, step.retry_count + 1)
    return Judged(Outcome.BLOCKED, StepStatus.BLOCKED, step.retry_count)
