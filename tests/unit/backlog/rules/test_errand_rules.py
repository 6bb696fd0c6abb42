"""How long somebody tries to run an errand, and how long they wait in between."""

from datetime import timedelta

import pytest

from forge.github.failures import Exhausted, GitHubFailure, GitHubRefused, NotThere, OutOfReach
from forge.testing.clock import NOON
from forge.work.background.errand_runner import GIVEN_UP_AFTER, LONGEST_WAIT, is_final, wait_after


@pytest.mark.parametrize(
    ("failure", "final"),
    [
        (NotThere("gone", status=404), True),
        (GitHubRefused("invalid", status=422), True),
        (GitHubRefused("bad credentials", status=401), False),
        (GitHubRefused("not by this token", status=403), False),
        (Exhausted("slowly", status=429), False),
        (OutOfReach("no answer"), False),
    ],
)
def test_what_nobody_can_mend_is_given_up_at_once(failure: GitHubFailure, final: bool) -> None:
    assert is_final(failure, NOON, NOON) is final


def test_everything_is_given_up_after_three_days() -> None:
    assert is_final(OutOfReach("no answer"), NOON, NOON + GIVEN_UP_AFTER + timedelta(seconds=1))


def test_waits_grow_to_a_limit_unless_github_says_how_long() -> None:
    waits = [wait_after(OutOfReach("no answer"), tries) for tries in range(12)]

    assert waits == sorted(waits)
    assert (waits[0], waits[1], waits[-1]) == (timedelta(seconds=30), timedelta(minutes=2), LONGEST_WAIT)
    assert wait_after(Exhausted("slowly", retry_after_seconds=77), 5) == timedelta(seconds=77)
