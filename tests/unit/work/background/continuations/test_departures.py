"""An archived agent and an issue part: nothing of the agent is left there, and others keep what they have."""

from forge.contract.terms import EngagementMode
from forge.testing.builders import a_change, a_run, an_agent, an_issue
from forge.testing.clock import NOON
from forge.work.background.continuations import departures
from forge.work.issues.issues import IssueItem
from forge.work.issues.runs.runs import RunStatus
from forge.work.workspace.statuses import StatusCategory

AGENT = an_agent()
OTHER = an_agent("reviewer")


def live(agent_id: str) -> IssueItem:
    run = a_run(agent_id=agent_id, engagement_mode=EngagementMode.EXECUTE)
    return an_issue(live_runs=[run.as_live], current_run_id=run.id)


def test_an_issue_is_bound_to_whoever_has_it_claimed_it_or_works_on_it() -> None:
    bound = [an_issue(assigned_agent_id=AGENT.id), an_issue(claimed_by_agent_id=AGENT.id), live(AGENT.id)]

    assert all(departures.is_bound_to(issue, AGENT.id) for issue in bound)
    assert not any(departures.is_bound_to(issue, OTHER.id) for issue in bound)


def test_whose_a_closed_issue_was_stays_written_on_it() -> None:
    closed = an_issue(category=StatusCategory.DONE, assigned_agent_id=AGENT.id)

    assert not departures.is_bound_to(closed, AGENT.id)


def test_who_leaves_ends_its_runs_and_frees_issue_and_claim() -> None:
    run = a_run()
    issue = an_issue(
        assigned_agent_id=AGENT.id,
        claimed_by_agent_id=AGENT.id,
        claimed_at=NOON,
        claim_expires_at=NOON,
        live_runs=[run.as_live],
        current_run_id=run.id,
    )
    change = a_change(issue, holding=[AGENT, run])

    departures.leave(change, AGENT.id)

    left = change.issue
    assert (left.assigned_agent_id, left.claimant_id, left.claim_expires_at) == (None, None, None)
    assert (left.live_runs, left.current_run_id) == ([], None)
    assert [one.status for one in change.ended] == [RunStatus.ABANDONED]
    assert [one.action for one in change.announced] == ["unassign", "release"]
    assert not departures.is_bound_to(left, AGENT.id)


def test_what_others_have_there_stays_theirs() -> None:
    mine, theirs = a_run(), a_run(agent_id=OTHER.id)
    issue = an_issue(
        assigned_agent_id=OTHER.id,
        claimed_by_agent_id=OTHER.id,
        live_runs=[mine.as_live, theirs.as_live],
        current_run_id=theirs.id,
    )
    change = a_change(issue, holding=[AGENT, OTHER, mine, theirs])

    departures.leave(change, AGENT.id)

    assert change.issue == issue.changed(live_runs=[theirs.as_live])
    assert change.announced == []
