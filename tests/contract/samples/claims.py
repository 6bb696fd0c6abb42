"""Calls that take issues and give them back."""

from tests.contract.samples.issues import an_idle_issue, an_issue
from tests.contract.stage import Arguments, Stage, sample


def _a_queue(stage: Stage) -> Arguments:
    """Of one issue: a ticket that is lost on the way would choose another of several."""
    an_issue(stage)
    return {"claimTtlMinutes": 30}


def _claimed(stage: Stage) -> str:
    issue_id = an_issue(stage)
    stage.call("issues.claim", {"issueId": issue_id})
    stage.give_without_a_run(issue_id)
    return issue_id


def _claimed_by_an_agent(stage: Stage) -> str:
    """Which has not begun to work on it; another is woken when it is given back."""
    issue_id = an_issue(stage)
    key = stage.agent_key(stage.an_agent())
    stage.call("issues.claim", {"issueId": issue_id, "claimTtlMinutes": 1}, key=key)
    return issue_id


def _expired(stage: Stage) -> Arguments:
    issue_id = _claimed_by_an_agent(stage)
    stage.world.clock.advance(minutes=1)
    return {"issueId": issue_id}


def _unfinished(stage: Stage) -> Arguments:
    """One that it goes on with, and another that it holds besides."""
    key = stage.agent_key(stage.acting_agent)
    for _ in range(2):
        an_issue(stage)
        stage.call("issues.claim", {}, key=key)
    return {"resume": True}


SAMPLES = (
    sample("issues.claim", lambda stage: {"issueId": an_idle_issue(stage), "claimTtlMinutes": 5}),
    sample("issues.claim", lambda stage: _a_queue(stage), variant="of the best"),
    sample("issues.claim", lambda stage: _a_queue(stage), variant="by an agent", as_agent=True),
    sample("issues.claim", lambda stage: _expired(stage), variant="of one that expired", as_agent=True),
    sample("issues.claim", lambda stage: _unfinished(stage), variant="again", as_agent=True),
    sample("issues.release", lambda stage: {"id": _claimed(stage)}),
    sample("issues.release", lambda stage: {"id": _claimed_by_an_agent(stage)}, variant="of an agent"),
)
