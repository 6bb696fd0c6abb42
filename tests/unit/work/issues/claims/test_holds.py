"""Who has an issue, and whom that keeps out."""

from datetime import timedelta

import pytest

from forge.auth.sessions import is_said, session_of
from forge.context import Caller
from forge.errors import Conflict
from forge.testing.builders import a_caller, a_desk, an_agent, an_issue
from forge.testing.clock import NOON
from forge.work.issues.claims import holds
from forge.work.issues.claims.holds import By, ClaimHold
from forge.work.issues.issues import IssueItem, IssueLock

HOUR = timedelta(hours=1)
WORKER = an_agent("worker")
AGENT, OTHER, PERSON = a_caller(agent_id=WORKER.id), a_caller(agent_id="agt_other"), a_caller()
LOCK = IssueLock(session_id="s", until=NOON + HOUR, fence=1)


def claimed(session: str | None = None, until: timedelta = HOUR, **more: object) -> IssueItem:
    by = {"claimed_by_agent_id": WORKER.id, "claimed_at": NOON, "claim_expires_at": NOON + until}
    return an_issue(**by, claim_session=session, **more)


@pytest.mark.parametrize(
    ("issue", "caller", "hold"),
    [
        (an_issue(), OTHER, None),
        (claimed(), AGENT, None),
        (claimed(until=timedelta(0)), OTHER, None),
        (claimed(), OTHER, ClaimHold(By.CLAIM, agent_id=WORKER.id, until=NOON + HOUR)),
        (claimed(lock=LOCK), OTHER, ClaimHold(By.LOCK, agent_id=WORKER.id, until=NOON + HOUR)),
        (claimed(), PERSON, ClaimHold(By.CLAIM, agent_id=WORKER.id, until=NOON + HOUR)),
        (
            an_issue(open_blockers=2, blocker_numbers=frozenset({7, 3})),
            PERSON,
            ClaimHold(By.BLOCKER, blockers=(3, 7)),
        ),
        (an_issue(assigned_agent_id=WORKER.id), OTHER, ClaimHold(By.ASSIGNMENT, agent_id=WORKER.id)),
        (an_issue(assigned_agent_id=WORKER.id), PERSON, None),
    ],
)
def test_a_hold_says_by_what_whose_and_until_when(
    issue: IssueItem, caller: Caller, hold: ClaimHold | None
) -> None:
    assert holds.hold_against(issue, caller, NOON) == hold


def test_another_session_of_the_same_agent_has_taken_it_over() -> None:
    mine, unsaid = AGENT.replaced(session_id="mine"), AGENT.replaced(session_id=session_of({}, "key_1"))

    assert holds.is_taken_over(claimed("theirs"), mine, NOON)
    for issue in (claimed("mine"), claimed(None), claimed("theirs", timedelta(0)), an_issue()):
        assert not holds.is_taken_over(issue, mine, NOON)
    for caller in (unsaid, OTHER, PERSON):
        assert not holds.is_taken_over(claimed("theirs"), caller, NOON)


def test_a_session_is_said_unless_it_was_made_of_the_key() -> None:
    assert is_said(session_of({"x-forge-session": "window-1"}, "key_1"))
    assert not is_said(session_of({}, "key_1"))


def test_people_are_not_kept_from_what_an_agent_has_and_agents_are_told_who_it_is() -> None:
    issue = claimed()
    holds.require_no_others_claim(a_desk(issue, caller=PERSON))
    holds.require_no_others_claim(a_desk(issue, caller=AGENT))

    with pytest.raises(Conflict) as refused:
        holds.require_no_others_claim(a_desk(issue, caller=OTHER, holding=[WORKER]))

    assert refused.value.details == {
        "reason": "claimed",
        "issueId": issue.id,
        "heldBy": {"by": "claim", "agentId": WORKER.id, "until": "2099-07-28T13:00:00.000Z"},
    }
