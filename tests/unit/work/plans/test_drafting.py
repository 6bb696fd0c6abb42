"""What a batch says of its steps becomes positions in the plan."""

import pytest

from forge.errors import InvalidInput
from forge.work.plans.drafting import wired


def test_indexes_are_those_of_the_batch_and_become_places_in_the_plan() -> None:
    assert wired([[], [0], [1, 0, 1]], first=4) == [[], [4], [4, 5]]


def test_an_index_that_leads_nowhere_or_to_the_step_itself_is_dropped() -> None:
    assert wired([[0, 7], [1, 0]], first=0) == [[], [0]]


def test_steps_that_wait_for_one_another_are_named() -> None:
    with pytest.raises(InvalidInput) as refused:
        wired([[], [3, 0], [1], [2], [3]], first=0)

    assert set(refused.value.issues or ()) == {f"steps.{one}.dependsOnStepIndexes" for one in (1, 2, 3, 4)}
