"""What a verdict comes to."""

import pytest

from forge.errors import Conflict
from forge.work.plans.plans import StepStatus
from forge.work.plans.rules import Judged, Verdict, VerdictOutcome, asked_of_people, judged
from tests.unit.work.plans.built import a_plan, in_status


def test_a_step_that_passes_is_done() -> None:
    plan = in_status(a_plan([]), StepStatus.REVIEW)

    assert judged(plan, plan.steps[0], Verdict.PASS) == Judged(VerdictOutcome.DONE, StepStatus.DONE, 0)


def test_the_third_failure_stops_a_step() -> None:
    plan = in_status(a_plan([]), StepStatus.RUNNING)
    outcomes = []

    for retries in range(3):
        step = plan.steps[0].model_copy(update={"retry_count": retries})
        outcomes.append(judged(plan, step, Verdict.FAIL))

    assert outcomes == [
        Judged(VerdictOutcome.RETRY, StepStatus.TODO, 1),
        Judged(VerdictOutcome.RETRY, StepStatus.TODO, 2),
        Judged(VerdictOutcome.BLOCKED, StepStatus.BLOCKED, 2),
    ]


@pytest.mark.parametrize("status", sorted(set(StepStatus) - {StepStatus.RUNNING, StepStatus.REVIEW}))
def test_only_what_is_worked_on_or_in_review_can_be_judged(status: StepStatus) -> None:
    plan = in_status(a_plan([]), status)

    with pytest.raises(Conflict):
        judged(plan, plan.steps[0], Verdict.PASS)


@pytest.mark.parametrize(("tries", "how_often"), [(1, "once"), (2, "2 times")])
def test_what_the_judge_said_begins_a_line_of_its_own(tries: int, how_often: str) -> None:
    heading, *_, said = asked_of_people("Import", tries, "**No**: it fails.").split("\n")

    assert "Import" in heading
    assert how_often in heading
    assert "**" not in heading
    assert said == "**No**: it fails."
