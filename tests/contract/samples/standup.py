"""Calls of the standup's tools."""

from tests.contract.samples.issues import an_issue
from tests.contract.stage import Arguments, Stage, sample


def _after_some_work(stage: Stage, *, key: str | None = None) -> Arguments:
    for status in ("Done", "In Progress"):
        issue = stage.call("issues.create", {"title": "Fix the login"}, key=key)
        stage.call("issues.claim", {"issueId": issue["id"]}, key=key)
        stage.call("issues.transition", {"id": issue["id"], "statusId": status}, key=key)
    an_issue(stage)
    return {"sinceHours": 48}


SAMPLES = (
    sample("standup.draft", _after_some_work),
    sample(
        "standup.draft",
        lambda stage: _after_some_work(stage, key=stage.agent_key(stage.acting_agent)),
        variant="of an agent",
        as_agent=True,
    ),
)
