"""A claim lives as long as the work of whoever has it."""

from datetime import datetime, timedelta

import pytest

from forge.context import Caller
from forge.testing.builders import a_caller, an_agent, an_issue
from forge.testing.clock import NOON
from tests.workshop.issues import a_queued_issue
from tests.workshop.office import Body, Office

PERSON, COLLEAGUE = a_caller(user_id="usr_ada"), a_caller(user_id="usr_bob")
AGENT = a_caller(agent_id=an_agent().id)


@pytest.mark.parametrize(
    ("left", "caller", "is_kept_up"),
    [
        (timedelta(minutes=31), PERSON, False),
        (timedelta(minutes=30), PERSON, False),
        (timedelta(minutes=29), PERSON, True),
        (timedelta(0), PERSON, False),
        (timedelta(minutes=29), COLLEAGUE, False),
        (timedelta(minutes=29), AGENT, False),
    ],
    ids=["early", "half", "late", "over", "somebody else", "an agent"],
)
def test_who_has_claimed_and_works_keeps_the_claim(left: timedelta, caller: Caller, is_kept_up: bool) -> None:
    issue = an_issue(claimed_by_id="usr_ada", claim_expires_at=NOON + left, claim_minutes=60)

    kept = issue.with_claim_kept_up(caller, NOON)

    assert (kept.claim_expires_at == NOON + timedelta(minutes=60)) is is_kept_up
    assert (kept is issue) is not is_kept_up


@pytest.mark.parametrize(
    ("tool", "about", "arguments"),
    [
        ("runs.recordUsage", "runId", {"tokensIn": 7}),
        ("runs.setWaiting", "runId", {}),
        ("comments.create", "issueId", {"body": "Half of it is done."}),
        (
            "attachments.initUpload",
            "targetId",
            {"targetType": "issue", "filename": "a.txt", "mimeType": "text/plain", "size": 1},
        ),
    ],
)
def test_whoever_works_on_has_the_claim_for_its_whole_time_again(
    office: Office, tool: str, about: str, arguments: Body
) -> None:
    issue_id, key = a_queued_issue(office), office.an_agents_key(office.an_agent()["id"])
    run_id = office.call("issues.claim", {}, key=key)["runId"]
    whole = time_left(office, issue_id)
    office.world.clock.advance(seconds=whole.total_seconds() * 0.6)

    subject = {about: run_id if about == "runId" else issue_id}
    office.call(tool, subject | arguments, key=key)

    assert time_left(office, issue_id) == whole


def time_left(office: Office, issue_id: str) -> timedelta:
    until = office.call("issues.get", {"id": issue_id})["claimExpiresAt"]
    return datetime.fromisoformat(until) - office.world.clock()
