"""Whom an issue goes to, and what it means to give it to who has it already."""

import pytest

from forge.contract.terms import EngagementMode
from forge.errors import Conflict, InvalidInput
from forge.testing.builders import a_run, an_agent, an_issue
from functions.issues.rules import assigning
from tests.workshop.outcomes import at_work, given_to

WORKER, OTHER = an_agent("worker"), an_agent("other")
OF_WORKER = given_to(an_issue(), WORKER, EngagementMode.EXECUTE)


@pytest.mark.parametrize(
    ("is_named", "is_given", "agent_id", "has_mode"),
    [
        (True, False, None, False),
        (True, False, None, True),
        (False, True, "agt_worker", False),
        (False, True, "agt_worker", True),
        (False, True, None, False),
    ],
)
def test_an_agent_is_named_by_its_id_or_its_key_or_taken_back(
    is_named: bool, is_given: bool, agent_id: str | None, has_mode: bool
) -> None:
    assigning.require_one_way(is_named=is_named, is_given=is_given, agent_id=agent_id, has_mode=has_mode)


@pytest.mark.parametrize("is_both", [True, False])
def test_it_is_named_in_one_way(is_both: bool) -> None:
    with pytest.raises(InvalidInput) as refused:
        assigning.require_one_way(is_named=is_both, is_given=is_both, agent_id="agt_worker", has_mode=False)

    assert set(refused.value.issues or ()) == {"agentId"}


def test_nobody_works_in_a_mode() -> None:
    with pytest.raises(InvalidInput) as refused:
        assigning.require_one_way(is_named=False, is_given=True, agent_id=None, has_mode=True)

    assert set(refused.value.issues or ()) == {"mode"}


def test_another_agent_is_news_and_so_is_the_first_and_none_after_one() -> None:
    assert assigning.is_news(OF_WORKER, OTHER, None)
    assert assigning.is_news(an_issue(), WORKER, None)
    assert assigning.is_news(OF_WORKER, None, None)


def test_nobody_after_nobody_is_no_news() -> None:
    assert not assigning.is_news(an_issue(), None, None)


def test_the_same_agent_is_no_news_without_a_mode_whether_or_not_it_is_at_work() -> None:
    assert not assigning.is_news(OF_WORKER, WORKER, None)
    assert not assigning.is_news(at_work(OF_WORKER, a_run()), WORKER, None)


@pytest.mark.parametrize("mode", EngagementMode)
def test_any_mode_is_news_for_an_agent_that_is_not_at_work(mode: EngagementMode) -> None:
    others_run = a_run(agent_id=OTHER.id)

    assert assigning.is_news(at_work(OF_WORKER, others_run), WORKER, mode)


@pytest.mark.parametrize("mode", EngagementMode)
def test_an_agent_at_work_gets_no_other_mode(mode: EngagementMode) -> None:
    with pytest.raises(Conflict):
        assigning.is_news(at_work(OF_WORKER, a_run()), WORKER, mode)


def test_a_run_for_a_step_of_a_plan_is_not_the_issues() -> None:
    of_a_step = a_run(execution_step_id="step_1")

    assert assigning.is_news(at_work(OF_WORKER, of_a_step), WORKER, EngagementMode.REVIEW)


def test_an_issue_is_handed_to_another_than_who_has_it() -> None:
    assigning.require_another(OF_WORKER, OTHER)
    assigning.require_another(an_issue(), WORKER)

    with pytest.raises(Conflict):
        assigning.require_another(OF_WORKER, WORKER)


def test_a_handoff_calls_the_agent_by_its_key() -> None:
    assert assigning.handoff_text(OTHER, "Needs a review.") == "Handoff → @other: Needs a review."
