"""Which messages of GitHub say something, and what."""

from typing import Any

import pytest

from forge.errors import InvalidInput
from forge.work.backlog.github.intake import news_of
from forge.work.backlog.github.syncing import Happening


def test_only_some_messages_are_news() -> None:
    review = {"action": "submitted", "review": {"state": "approved"}, "pull_request": {"number": 1}}
    passed = {"action": "completed", "check_run": {"conclusion": "success", "pull_requests": []}}

    assert news_of("star", {"action": "created"}) == []
    assert news_of("issues", {"action": "deleted"}) == []
    assert news_of("issue_comment", {"action": "edited"}) == []
    assert news_of("pull_request_review", review) == []
    assert news_of("check_run", passed) == []


def test_a_failed_check_is_news_of_each_pull_request_that_ends_with_its_commit() -> None:
    pulls = [{"number": one, "head": {"sha": sha}} for one, sha in ((1, "abc"), (2, "abc"), (3, "older"))]
    run = {"conclusion": "timed_out", "head_sha": "abc", "pull_requests": pulls}

    news = news_of("check_run", {"action": "completed", "check_run": run})

    assert [(one.number, one.happening) for one in news] == [
        (1, Happening.CHECKS_FAILED),
        (2, Happening.CHECKS_FAILED),
    ]


@pytest.mark.parametrize("payload", [{}, {"issue": {}}, {"issue": [1]}, {"issue": {"number": 1}}])
def test_what_is_malformed_is_refused(payload: Any) -> None:
    with pytest.raises(InvalidInput):
        news_of("issues", payload)
