"""Each failure of GitHub is told as what it means for the caller."""

import pytest

from forge.errors import DomainError, ErrorCode
from forge.github.failures import Exhausted, GitHubFailure, GitHubRefused, NotThere, OutOfReach
from functions.github.repository import told_as


@pytest.mark.parametrize(
    ("failure", "code", "is_retryable", "seconds"),
    [
        (NotThere("Not Found", status=404), ErrorCode.NOT_FOUND, False, None),
        (GitHubRefused("Bad credentials", status=401), ErrorCode.PRECONDITION_FAILED, False, None),
        (Exhausted("limit", status=403, retry_after_seconds=90), ErrorCode.RATE_LIMITED, True, 90),
        (OutOfReach("no answer"), ErrorCode.UNAVAILABLE, True, 30),
    ],
    ids=str,
)
def test_a_failure_of_github_is_told_in_our_words(
    failure: GitHubFailure, code: ErrorCode, is_retryable: bool, seconds: int | None
) -> None:
    with pytest.raises(DomainError) as told, told_as("issue 1 of acme/app"):
        raise failure

    assert (told.value.code, told.value.retryable) == (code, is_retryable)
    assert told.value.retry_after_seconds == seconds
