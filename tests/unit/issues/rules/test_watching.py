"""Whom what happens to an issue wakes."""

import pytest

from forge.testing.builders import a_context, an_agent, an_issue
from forge.work.issues.watchers import new_watch
from functions.issues.rules import watching
from tests.workshop.outcomes import given_to

ISSUE = given_to(an_issue(), an_agent())


@pytest.mark.parametrize(
    ("who", "is_woken"),
    [({"agent_id": "agt_worker"}, True), ({"agent_id": "agt_other"}, False), ({"user_id": "usr_1"}, False)],
)
def test_of_all_that_watch_only_the_agent_that_has_the_issue_is_woken(
    who: dict[str, str], is_woken: bool
) -> None:
    assert watching.wakes(new_watch(a_context(), ISSUE, **who), ISSUE) is is_woken


def test_nobody_is_woken_where_nobody_has_the_issue() -> None:
    for who in ({"agent_id": "agt_worker"}, {"user_id": "usr_1"}):
        assert not watching.wakes(new_watch(a_context(), an_issue(), **who), an_issue())
