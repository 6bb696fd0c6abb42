"""Calls of the escalations' tools."""

from tests.contract.samples.issues import an_idle_issue
from tests.contract.stage import Prepare, sample

SAMPLES = (sample("escalations.escalate", lambda stage: {"issueId": an_idle_issue(stage), "toTheTop": True}),)

ON_ISSUE: dict[str, Prepare] = {
    "escalations.escalate": lambda stage, issue_id: {"issueId": issue_id},
}

PHRASES = {
    "escalations.escalate": (
        "this one is more important than it looks",
        "this has to be escalated",
        "raise the alarm about an issue",
    ),
}
