"""What whoever approves a plan is shown."""

from datetime import timedelta

import pytest

from forge.work.plans.approvals.approvals import said_beyond, since, state_of, steps_as_text
from forge.work.plans.plans import PlanStatus
from forge.work.workspace.crews.announcements import CrewRole
from tests.unit.work.plans.built import NOON, a_plan
from tests.unit.work.plans.requests.asked import a_request


def test_a_card_says_its_steps_once_also_when_more_came() -> None:
    asked, grown = a_plan([]), a_plan([], [0])

    assert said_beyond(steps_as_text(asked), asked) is None
    assert said_beyond(steps_as_text(asked), grown) is None
    assert said_beyond("Please, by noon.", asked) == "Please, by noon."
    assert said_beyond(steps_as_text(grown), asked) == steps_as_text(grown)
    assert said_beyond(None, asked) is None


@pytest.mark.parametrize(
    "other",
    [
        {"title": "Another"},
        {"depends_on": [0]},
        {"assigned_agent_id": "agt_1"},
        {"assigned_user_id": "usr_1"},
        {"assigned_role": CrewRole.REVIEWER},
        {"texts_digest": "0123"},
    ],
)
def test_a_yes_is_one_to_all_that_a_step_is(other: dict[str, object]) -> None:
    plan = a_plan([], [])

    assert state_of(plan.with_step("plan_1.1", **other)) != state_of(plan)


def test_a_yes_is_one_to_the_order_of_the_steps() -> None:
    plan = a_plan([], [])

    assert state_of(plan.changed(steps=[*reversed(plan.steps)])) != state_of(plan)


@pytest.mark.parametrize(
    ("happened", "number"),
    [
        ({}, 0),
        ({"status": PlanStatus.RUNNING}, 1),
        ({"goal_id": "goal_1", "is_active_attempt": False}, 1),
        ({"updated_at": NOON + timedelta(seconds=1)}, 1),
    ],
    ids=["nothing", "begun", "replaced", "changed"],
)
def test_whoever_decides_is_told_what_happened_to_the_plan_since(
    happened: dict[str, object], number: int
) -> None:
    plan = a_plan([], status=PlanStatus.DRAFT).changed(**happened)

    assert len(since(plan, a_request(created_at=NOON))) == number
