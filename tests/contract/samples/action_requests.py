"""Calls of the action requests' tools; accepting is called once for each kind of request."""

from collections.abc import Callable
from typing import Any

from forge.work.content.comments.mentions import MAX_AGENTS, MAX_NAMES
from tests.contract.samples.issues import a_busy_issue, a_status, an_idle_issue, an_issue
from tests.contract.samples.pipeline import at_a_checkpoint
from tests.contract.stage import Arguments, Sample, Stage, sample

OPTIONS = [
    {"key": "retry", "label": "Add retry-on-failure", "description": "Cheapest, masks the race."},
    {"key": "isolate", "label": "Isolate the test in its own worker"},
]


def _asked(stage: Stage, *, key: str | None = None, **more: object) -> str:
    order = {"title": "May I?", "body": "Because of this.", **more}
    return str(stage.call("actionRequests.create", order, key=key)["id"])


def _at_work(stage: Stage) -> tuple[str, str]:
    """An issue, and the key of the agent that works on it."""
    issue_id, agent_id = an_issue(stage), stage.acting_agent
    stage.call("issues.assign", {"issueId": issue_id, "agentId": agent_id, "mode": "EXECUTE"})
    return issue_id, stage.agent_key(agent_id)


def _a_poll(stage: Stage, **more: Any) -> str:
    return _asked(stage, options=OPTIONS, issueId=an_issue(stage), **more)


def _everything(stage: Stage) -> Arguments:
    return {
        "title": "Which way?",
        "body": "\N{MEMO}" * 10_000,
        "severity": "CRITICAL",
        "kind": "SET_LABELS",
        "payload": {"add": [stage.a_label()], "remove": [stage.a_label()]},
        "options": OPTIONS,
        "issueId": an_idle_issue(stage),
        "assignedUserId": stage.a_member(),
        "assignedAgentId": stage.an_agent(),
        "sourceType": "pipeline",
        "sourceId": "pipe_1",
        "dueAt": "2999-12-31T00:00:00Z",
    }


def _by_an_agent(stage: Stage) -> Arguments:
    issue_id, _ = _at_work(stage)
    return {"title": "Which schema?", "issueId": issue_id, "assignedUserId": stage.a_member()}


def _two(stage: Stage, **more: Any) -> None:
    for _ in range(2):
        _asked(stage, **more)


def _of_a_person(stage: Stage) -> Arguments:
    user_id = stage.a_member()
    _two(stage, assignedUserId=user_id)
    return {"assignedUserId": user_id, "status": "OPEN", "limit": 1}


def _of_an_agent(stage: Stage) -> Arguments:
    agent_id = stage.an_agent()
    _two(stage, assignedAgentId=agent_id, issueId=an_issue(stage))
    return {"assignedAgentId": agent_id, "limit": 1}


def _of_an_issue(stage: Stage) -> Arguments:
    issue_id, other_id = an_issue(stage), an_issue(stage)
    payload = {"duplicateOfIssueId": other_id, "statusId": a_status(stage, "CANCELED")}
    _two(stage, issueId=issue_id, kind="CLOSE_AS_DUPLICATE", payload=payload)
    return {"issueId": issue_id, "limit": 1, "include": ["card"]}


def _accepting(
    variant: str, kind: str, issue: Callable[[Stage], str], payload: Callable[[Stage], Arguments]
) -> Sample:
    def arguments(stage: Stage) -> Arguments:
        asked = _asked(stage, kind=kind, issueId=issue(stage), payload=payload(stage))
        return {"id": asked, "resolution": "Go ahead."}

    return sample("actionRequests.accept", arguments, variant=variant)


def _answering(stage: Stage) -> Arguments:
    """With as many names as one text can call, besides the agent that asked."""
    issue_id, key = _at_work(stage)
    asked = _asked(stage, key=key, issueId=issue_id)
    for _ in range(MAX_AGENTS - 2):
        stage.an_agent()
    for _ in range(MAX_NAMES - MAX_AGENTS):
        stage.a_member()
    agents = [row["profileKey"] for row in stage.call("agents.list", {})["data"]][2 - MAX_AGENTS :]
    people = [row["handle"] for row in stage.call("members.list", {})["data"]][MAX_AGENTS - MAX_NAMES :]
    row = stage.call("actionRequests.list", {"id": asked})["data"][0]
    text = " ".join(f"@{name}" for name in (*agents, *people))
    return {"id": asked, "resolution": f"The new one. {text}", "shownHash": row["shownHash"]}


def _with_a_template(stage: Stage) -> Arguments:
    return {"agentId": stage.an_agent(templateMarkdown="# What to do")}


def _of_a_pipeline(stage: Stage) -> Arguments:
    at_a_checkpoint(stage)
    (asked, *_) = stage.call("actionRequests.list", {"status": "OPEN"})["data"]
    return {"id": asked["id"]}


def _declined(stage: Stage) -> Arguments:
    said = _answering(stage)
    return {"id": said["id"], "reason": said["resolution"]}


def _rejected(stage: Stage) -> Arguments:
    said = _answering(stage)
    return {"id": said["id"], "status": "REJECTED", "resolution": said["resolution"]}


def _voted_before(stage: Stage) -> Arguments:
    poll = _a_poll(stage)
    stage.call("actionRequests.vote", {"id": poll, "optionKey": "retry"})
    return {"id": poll, "optionKey": "isolate"}


def _seen(stage: Stage) -> Arguments:
    return {"id": _voted_before(stage)["id"]}


SAMPLES = (
    sample("actionRequests.create", _everything),
    sample("actionRequests.create", _by_an_agent, variant="by an agent", as_agent=True),
    sample(
        "actionRequests.create",
        lambda stage: {"title": "Which schema?", "assignedAgentId": stage.an_agent()},
        variant="about no issue",
    ),
    sample("actionRequests.list", _of_a_person),
    sample("actionRequests.list", _of_an_agent, variant="of an agent"),
    sample("actionRequests.list", _of_an_issue, variant="of an issue"),
    sample("actionRequests.list", lambda stage: {"id": _a_poll(stage)}, variant="by id"),
    sample(
        "actionRequests.transition",
        lambda stage: {"id": _a_poll(stage), "status": "DISMISSED", "resolution": "Not needed."},
    ),
    sample("actionRequests.transition", _rejected, variant="of an agent"),
    _accepting("", "TRANSITION", a_busy_issue, lambda stage: {"statusId": a_status(stage, "DONE")}),
    _accepting("labels", "SET_LABELS", an_idle_issue, lambda stage: {"add": [stage.a_label()]}),
    _accepting("people", "ASSIGN", an_idle_issue, lambda stage: {"userIds": [stage.a_member()]}),
    _accepting("an agent", "ASSIGN_AGENT", a_busy_issue, _with_a_template),
    _accepting("to archive", "ARCHIVE", a_busy_issue, lambda stage: {}),
    _accepting(
        "a duplicate",
        "CLOSE_AS_DUPLICATE",
        a_busy_issue,
        lambda stage: {"duplicateOfIssueId": an_issue(stage), "statusId": a_status(stage, "CANCELED")},
    ),
    sample("actionRequests.accept", _answering, variant="with an answer"),
    sample("actionRequests.accept", _of_a_pipeline, variant="of a pipeline"),
    sample("actionRequests.decline", _declined),
    sample("actionRequests.decline", _of_a_pipeline, variant="of a pipeline"),
    sample("actionRequests.vote", _voted_before),
    sample("actionRequests.results", _seen),
    sample("actionRequests.closeVoting", _seen),
)
