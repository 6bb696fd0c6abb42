"""What a batch says of its steps becomes positions in the plan."""

from typing import Any

import pytest

from forge.errors import InvalidInput
from forge.work.plans.drafting import StepDraft, hash_of_texts, wired


def test_indexes_are_those_of_the_batch_and_become_places_in_the_plan() -> None:
    assert wired([[], [0], [1, 0, 1]], first=4) == [[], [4], [4, 5]]


@pytest.mark.parametrize(
    ("batch", "wrong"), [([[0]], [0]), ([[], [0, 1]], [1]), ([[1], [0]], [0]), ([[], [7], [2, 9]], [1, 2])]
)
def test_an_index_of_the_step_itself_a_later_one_or_none_is_refused(
    batch: list[list[int]], wrong: list[int]
) -> None:
    with pytest.raises(InvalidInput) as refused:
        wired(batch, first=3)

    assert set(refused.value.issues or ()) == {f"steps.{one}.dependsOnStepIndexes" for one in wrong}
    assert all("from 0" in said for said in (refused.value.issues or {}).values())


@pytest.mark.parametrize(
    "other", [{"body": "B"}, {"expected_output": "B"}, {"verification": [{"label": "B"}]}]
)
def test_each_text_of_a_step_tells_it_apart(other: dict[str, Any]) -> None:
    said: dict[str, Any] = {"title": "Do it", "body": "A", "expected_output": "A"}

    assert hash_of_texts(StepDraft(**said | other)) != hash_of_texts(StepDraft(**said))
    assert hash_of_texts(StepDraft(title="Do it")) is None
