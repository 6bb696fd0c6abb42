"""What it means to put an issue into the queue, or to take it out."""

import pytest

from forge.contract.terms import EngagementMode
from forge.errors import Conflict
from forge.store.readings import NeverRead
from forge.testing.builders import a_caller, a_change, an_agent, an_issue
from forge.testing.clock import NOON
from forge.work.issues.issues import CLOSED
from forge.work.workspace.statuses import StatusCategory
from functions.issues.rules import claiming
from tests.workshop.outcomes import begun_modes, given_to, told, woken

WORKER = an_agent()
PERSON = a_caller()


def test_a_queued_issue_tells_its_number_and_who_has_it() -> None:
    change = a_change(an_issue(number=7), caller=PERSON)

    claiming.set_queued(change, is_queued=True)

    assert change.issue.queued
    assert told(change) == [("ISSUE_QUEUED", {"number": 7, "assignedAgentId": None})]
    assert woken(change) == []


@pytest.mark.parametrize("category", sorted(CLOSED))
def test_a_closed_issue_leaves_the_queue_but_does_not_enter_it(category: StatusCategory) -> None:
    entering = a_change(an_issue(category=category))
    leaving = a_change(an_issue(category=category, queued=True))

    with pytest.raises(Conflict):
        claiming.set_queued(entering, is_queued=True)
    claiming.set_queued(leaving, is_queued=False)

    assert (entering.issue.queued, leaving.issue.queued) == (False, False)
    assert told(leaving) == [("ISSUE_UPDATED", {"queued": False})]


@pytest.mark.parametrize("mode", EngagementMode)
def test_queueing_is_work_for_who_has_the_issue_as_it_was_assigned(mode: EngagementMode) -> None:
    change = a_change(given_to(an_issue(), WORKER, mode), caller=PERSON, holding=[WORKER])

    claiming.set_queued(change, is_queued=True)

    assert woken(change) == [(WORKER.id, "ISSUE_QUEUED")]
    assert begun_modes(change) == {WORKER.id: mode}


def test_that_an_issue_left_the_queue_is_only_news_for_who_has_it() -> None:
    issue = given_to(an_issue(queued=True), WORKER, EngagementMode.EXECUTE)
    change = a_change(issue, caller=PERSON, holding=[WORKER])

    claiming.set_queued(change, is_queued=False)

    assert woken(change) == [(WORKER.id, "ISSUE_UPDATED")]
    assert begun_modes(change) == {WORKER.id: EngagementMode.DISCUSS}


def test_a_claim_stays_when_its_issue_enters_or_leaves_the_queue() -> None:
    issue = an_issue(queued=True, claimed_by_id="usr_1", claimed_at=NOON, claim_expires_at=NOON)
    change = a_change(issue)

    claiming.set_queued(change, is_queued=False)

    assert change.issue == issue.changed(queued=False)


def test_an_agent_that_was_not_read_can_not_be_called() -> None:
    change = a_change(given_to(an_issue(), WORKER), caller=PERSON)

    with pytest.raises(NeverRead):
        claiming.set_queued(change, is_queued=True)


def test_an_agent_that_is_gone_is_not_called() -> None:
    change = a_change(given_to(an_issue(), WORKER), caller=PERSON, knowing_absent=[WORKER.key])

    claiming.set_queued(change, is_queued=True)

    assert woken(change) == []
