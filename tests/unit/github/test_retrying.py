"""What came back from GitHub decides whether and when it is asked once more."""

from math import inf

import pytest

from forge.github.failures import Exhausted, GitHubFailure, GitHubRefused, NotThere, OutOfReach
from forge.github.retrying import Answer, Trouble, failure_of, limit_lasts, trouble_with, wait_before_next

NOON_THERE = "Tue, 28 Jul 2099 12:00:00 GMT"
NOON_SECONDS = 4088923200
USED_UP = {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(NOON_SECONDS + 7), "date": NOON_THERE}
NO_ANSWER = Answer()
PRIMARY = Answer(403, USED_UP)
SECONDARY = Answer(403, {"retry-after": "5"})


def wait(
    answer: Answer,
    *,
    failed: int = 1,
    repeats: bool = True,
    seconds_left: float = inf,
    chance: float = 0.0,
) -> float | None:
    return wait_before_next(answer, failed=failed, repeats=repeats, seconds_left=seconds_left, chance=chance)


@pytest.mark.parametrize(
    ("answer", "trouble"),
    [
        (NO_ANSWER, Trouble.BROKEN),
        (Answer(500), Trouble.BROKEN),
        (Answer(503), Trouble.BROKEN),
        (PRIMARY, Trouble.PRIMARY_LIMIT),
        (Answer(429, USED_UP), Trouble.PRIMARY_LIMIT),
        (SECONDARY, Trouble.SECONDARY_LIMIT),
        (Answer(429), Trouble.SECONDARY_LIMIT),
        (Answer(403, USED_UP, "You have exceeded a secondary rate limit."), Trouble.SECONDARY_LIMIT),
        *((Answer(status, {"x-ratelimit-remaining": "0"}), None) for status in (400, 401, 404, 422)),
        (Answer(403, {"x-ratelimit-remaining": "4999"}), None),
        (Answer(301), None),
    ],
)
def test_what_is_a_limit_and_what_is_broken_and_what_is_final(
    answer: Answer, trouble: Trouble | None
) -> None:
    assert trouble_with(answer) is trouble


@pytest.mark.parametrize(("answer", "most"), [(PRIMARY, 2), (SECONDARY, 1), (NO_ANSWER, 3), (Answer(502), 3)])
def test_each_trouble_has_its_own_number_of_retries(answer: Answer, most: int) -> None:
    waits = [wait(answer, failed=failed) for failed in range(1, 6)]

    assert [one is not None for one in waits] == [failed <= most for failed in range(1, 6)]


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 422])
def test_what_was_refused_is_never_asked_again(status: int) -> None:
    assert wait(Answer(status)) is None


def test_what_may_not_be_done_twice_is_repeated_after_a_limit_and_not_after_silence() -> None:
    assert wait(NO_ANSWER, repeats=False) is None
    assert wait(Answer(502), repeats=False) is None
    assert wait(PRIMARY, repeats=False) is not None
    assert wait(SECONDARY, repeats=False) is not None


def test_pauses_double_and_chance_makes_them_differ() -> None:
    assert [wait(NO_ANSWER, failed=failed) for failed in (1, 2, 3)] == [0.5, 1.0, 2.0]
    assert wait(NO_ANSWER, failed=3, chance=1.0) == 3.0


def test_a_server_that_is_down_says_itself_when_it_is_back() -> None:
    assert wait(Answer(503, {"retry-after": "4"})) == 4.0


def test_a_limit_lasts_as_long_as_github_says_by_its_own_clock() -> None:
    assert limit_lasts(PRIMARY) == 8.0
    assert limit_lasts(SECONDARY) == 5.0
    assert limit_lasts(Answer(429)) == 60.0
    assert limit_lasts(Answer(403, USED_UP | {"date": "no date"})) == 60.0
    assert limit_lasts(Answer(403, USED_UP | {"x-ratelimit-reset": "0"})) == 1.0


def test_a_wait_that_does_not_fit_is_not_begun() -> None:
    assert wait(SECONDARY, seconds_left=6.0) == 5.0
    assert wait(SECONDARY, seconds_left=5.9) is None
    assert wait(NO_ANSWER, seconds_left=1.4) is None
    assert wait(Answer(403, {"retry-after": "61"})) is None


@pytest.mark.parametrize(
    ("answer", "failure", "seconds"),
    [
        (PRIMARY, Exhausted, 8),
        (SECONDARY, Exhausted, 5),
        (NO_ANSWER, OutOfReach, None),
        (Answer(500), OutOfReach, None),
        (Answer(404), NotThere, None),
        (Answer(410), NotThere, None),
        (Answer(401), GitHubRefused, None),
        (Answer(403), GitHubRefused, None),
        (Answer(422), GitHubRefused, None),
        (Answer(307), GitHubRefused, None),
    ],
)
def test_every_failure_is_of_the_kind_that_says_what_to_do(
    answer: Answer, failure: type[GitHubFailure], seconds: int | None
) -> None:
    made = failure_of(answer)

    assert (type(made), made.status, made.retry_after_seconds) == (failure, answer.status, seconds)
    assert made.message
