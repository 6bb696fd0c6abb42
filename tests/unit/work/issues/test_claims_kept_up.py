"""A claim lives as long as the work of whoever has it."""

from datetime import timedelta

import pytest

from forge.context import Caller
from forge.testing.builders import a_caller, an_agent, an_issue
from forge.testing.clock import NOON

PERSON, COLLEAGUE = a_caller(user_id="usr_ada"), a_caller(user_id="usr_bob")
AGENT = a_caller(agent_id=an_agent().id)


@pytest.mark.parametrize(
    ("left", "caller", "is_kept_up"),
    [
        (timedelta(minutes=31), PERSON, False),
        (timedelta(minutes=30), PERSON, False),
        (timedelta(minutes=29), PERSON, True),
        (timedelta(0), PERSON, False),
        (timedelta(minutes=29), COLLEAGUE, False),
        (timedelta(minutes=29), AGENT, False),
    ],
    ids=["early", "half", "late", "over", "somebody else", "an agent"],
)
def test_who_has_claimed_and_works_keeps_the_claim(left: timedelta, caller: Caller, is_kept_up: bool) -> None:
    issue = an_issue(claimed_by_id="usr_ada", claim_expires_at=NOON + left, claim_minutes=60)

    kept = issue.with_claim_kept_up(caller, NOON)

    assert (kept.claim_expires_at == NOON + timedelta(minutes=60)) is is_kept_up
    assert (kept is issue) is not is_kept_up
