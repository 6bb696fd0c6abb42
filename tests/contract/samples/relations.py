"""Calls of the relations' tools, on issues that are queued and have an agent at work."""

from itertools import pairwise

from tests.contract.samples.issues import an_idle_issue, an_issue
from tests.contract.stage import Arguments, Prepare, Stage, sample


def _an_assigned_issue(stage: Stage) -> str:
    issue_id = an_issue(stage)
    stage.call("issues.assign", {"issueId": issue_id, "agentId": stage.an_agent(), "mode": "EXECUTE"})
    return issue_id


def _relating(stage: Stage, kind: str) -> Arguments:
    return {"fromIssueId": _an_assigned_issue(stage), "toIssueId": _an_assigned_issue(stage), "kind": kind}


def _duplicating(stage: Stage) -> Arguments:
    return {"fromIssueId": an_idle_issue(stage), "toIssueId": an_issue(stage), "kind": "DUPLICATES"}


def _duplicate(stage: Stage) -> str:
    """Of an issue whose agent is not at work on it."""
    arguments = {"fromIssueId": an_issue(stage), "toIssueId": an_issue(stage), "kind": "DUPLICATES"}
    relation_id = stage.call("relations.add", arguments)["relation"]["id"]
    stage.give_without_a_run(arguments["fromIssueId"])
    return str(relation_id)


def _relation_of(stage: Stage, issue_id: str) -> str:
    """Seen from the other issue: both are asked for the mode."""
    arguments = {"fromIssueId": an_issue(stage), "toIssueId": issue_id, "kind": "RELATES_TO"}
    return str(stage.call("relations.add", arguments)["relation"]["id"])


def _closing_no_circle(stage: Stage) -> Arguments:
    """Its blocked issue blocks others, which have to be looked at."""
    arguments = _relating(stage, "BLOCKS")
    waiting = [arguments["toIssueId"], an_issue(stage), an_issue(stage)]
    for blocker, blocked in pairwise(waiting):
        stage.call("relations.add", {"fromIssueId": blocker, "toIssueId": blocked, "kind": "BLOCKS"})
    return arguments


def _related(stage: Stage, kind: str) -> dict[str, str]:
    made = stage.call("relations.add", _relating(stage, kind))["relation"]
    return {"id": made["id"], "issueId": made["fromIssueId"]}


def _related_twice(stage: Stage) -> str:
    issue_id = _related(stage, "BLOCKS")["issueId"]
    arguments = {"fromIssueId": issue_id, "toIssueId": an_issue(stage), "kind": "RELATES_TO"}
    stage.call("relations.add", arguments)
    return issue_id


SAMPLES = (
    sample("relations.add", _closing_no_circle),
    sample("relations.add", lambda stage: _relating(stage, "BLOCKED_BY"), variant="from the blocked side"),
    sample("relations.add", _duplicating, variant="of a duplicate"),
    sample("relations.remove", lambda stage: {"relationId": _related(stage, "BLOCKS")["id"]}),
    sample(
        "relations.remove",
        lambda stage: {"relationId": _duplicate(stage)},
        variant="of a duplicate",
    ),
    sample(
        "relations.listForIssue",
        lambda stage: {"issueId": _related_twice(stage), "limit": 1},
    ),
)

ON_ISSUE: dict[str, Prepare] = {
    "relations.add": lambda stage, issue_id: {
        "fromIssueId": issue_id,
        "toIssueId": an_issue(stage),
        "kind": "RELATES_TO",
    },
    "relations.remove": lambda stage, issue_id: {"relationId": _relation_of(stage, issue_id)},
}
