"""What whoever approves a plan is shown."""

from forge.work.orchestration.approvals import said_beyond, steps_as_text
from tests.unit.work.plans.built import a_plan


def test_a_card_says_its_steps_once_also_when_more_came() -> None:
    asked, grown = a_plan([]), a_plan([], [0])

    assert said_beyond(steps_as_text(asked), asked) is None
    assert said_beyond(steps_as_text(asked), grown) is None
    assert said_beyond("Please, by noon.", asked) == "Please, by noon."
    assert said_beyond(steps_as_text(grown), asked) == steps_as_text(grown)
    assert said_beyond(None, asked) is None
