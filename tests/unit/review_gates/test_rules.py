"""What a gate is for, and who is asked there, in the words of whoever opens it."""

import pytest

from forge.errors import InvalidInput
from functions.review_gates.rules import role_meant, target_meant


def test_a_role_is_one_that_somebody_can_have() -> None:
    assert role_meant("reviewer", has_crew=True) == "REVIEWER"
    assert role_meant("Admin", has_crew=True) == "ADMIN"
    assert role_meant("member", has_crew=False) == "MEMBER"
    assert role_meant(None, has_crew=False) is None
    for said, has_crew in (("security", True), ("MEMBER", True), ("security", False), ("REVIEWER", False)):
        with pytest.raises(InvalidInput):
            role_meant(said, has_crew=has_crew)


def test_what_we_know_of_may_be_spelt_in_any_way_and_any_other_word_stays() -> None:
    assert target_meant("EXECUTION_STEP") == "execution-step"
    assert target_meant("Issue") == "issue"
    assert target_meant("Release_Train") == "Release_Train"
