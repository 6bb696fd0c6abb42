import pytest

from forge.errors import Conflict
from forge.work.issues.issues import Priority
from functions.escalations.rules import escalated


def test_an_issue_climbs_one_step_or_all_of_them() -> None:
    assert escalated(Priority.LOW, to_the_top=False) is Priority.MEDIUM
    assert escalated(Priority.LOW, to_the_top=True) is Priority.URGENT


def test_there_is_nothing_beyond_urgent() -> None:
    with pytest.raises(Conflict):
        escalated(Priority.URGENT, to_the_top=False)
