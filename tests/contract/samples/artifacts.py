"""Calls of the artifacts' tools, each on an issue that is told of it."""

from forge.work.record.texts import MAX_INLINE
from tests.contract.stage import Arguments, Prepare, Stage, sample

_A_LONG_TEXT = "\N{MEMO}" * (MAX_INLINE // 4 + 1)


def an_issue(stage: Stage) -> str:
    """With an agent at work on it, and a text."""
    issue_id = str(stage.call("issues.create", {"title": "Fix login timeout", "description": "Hangs."})["id"])
    stage.call("issues.assign", {"issueId": issue_id, "agentId": stage.an_agent(), "mode": "EXECUTE"})
    return stage.a_while_ago(issue_id)


def an_artifact(stage: Stage, issue_id: str | None = None) -> str:
    order = {"title": "Report", "body": "# Findings", "issueId": issue_id or an_issue(stage)}
    return stage.a_while_ago(str(stage.call("artifacts.create", order)["id"]))


def a_comment(stage: Stage) -> str:
    comment = {"issueId": an_issue(stage), "body": "# We use one table"}
    return str(stage.call("comments.create", comment)["id"])


def a_finished_run(stage: Stage) -> str:
    agent_id = stage.an_agent()
    issue_id = str(stage.call("issues.create", {"title": "Fix login timeout"})["id"])
    stage.call("issues.assign", {"issueId": issue_id, "agentId": agent_id, "mode": "EXECUTE"})
    found = stage.call("issues.get", {"id": issue_id, "include": {"currentRun": True}})
    run_id = str(found["currentRun"]["id"])
    report = {"runId": run_id, "summary": "Found it."}
    stage.call("runs.complete", report, key=stage.agent_key(agent_id))
    return run_id


def a_note(stage: Stage) -> str:
    return str(stage.call("notes.create", {"title": "Flaky test", "body": "It fails on Mondays."})["id"])


def a_message(stage: Stage) -> str:
    thread_id = stage.call("threads.create", {"agentId": stage.an_agent()})["id"]
    return str(stage.call("threads.post", {"threadId": thread_id, "body": "We ship."})["messageId"])


def _two(stage: Stage) -> Arguments:
    """So that there is a next page."""
    issue_id = an_issue(stage)
    for _ in range(2):
        an_artifact(stage, issue_id)
    return {"issueId": issue_id, "limit": 1}


def _two_of_all(stage: Stage) -> Arguments:
    _two(stage)
    return {"limit": 1}


def _new(stage: Stage, **more: object) -> Arguments:
    return {
        "title": "Why the login hangs",
        "body": "# Findings",
        "artifactType": "REPORT",
        "status": "IN_REVIEW",
        "summary": "It was the cache.",
        "slug": "why",
        "issueId": an_issue(stage),
        **more,
    }


def _promotion(stage: Stage, kind: str, source_id: str) -> Arguments:
    has_own = kind in ("agent-run", "issue")
    target = {} if has_own else {"issueId": an_issue(stage)}
    return {"sourceType": kind, "sourceId": source_id, "title": "Decision", "slug": f"of-{kind}", **target}


SAMPLES = (
    sample("artifacts.list", _two),
    sample("artifacts.list", _two_of_all, variant="of the workspace"),
    sample("artifacts.get", lambda stage: {"id": an_artifact(stage)}),
    sample(
        "artifacts.get",
        lambda stage: {"slug": stage.call("artifacts.get", {"id": an_artifact(stage)})["slug"]},
        variant="by slug",
    ),
    sample(
        "artifacts.get",
        lambda stage: {"id": an_artifact(stage), "version": 1, "offset": 1, "limit": 2},
        variant="a part of a version",
    ),
    sample("artifacts.create", _new),
    sample(
        "artifacts.create",
        lambda stage: _new(stage, body=_A_LONG_TEXT, issueId=None),
        variant="with a text that is kept apart",
    ),
    sample(
        "artifacts.update",
        lambda stage: {
            "id": an_artifact(stage),
            "title": "Findings",
            "body": "# More",
            "artifactType": "SPEC",
            "status": "ACCEPTED",
            "summary": "Short.",
            "slug": "findings",
        },
    ),
    sample("artifacts.archive", lambda stage: {"id": an_artifact(stage)}),
    sample("artifacts.promote", lambda stage: _promotion(stage, "comment", a_comment(stage))),
    sample(
        "artifacts.promote",
        lambda stage: _promotion(stage, "agent-run", a_finished_run(stage)),
        variant="of a run",
    ),
    sample(
        "artifacts.promote",
        lambda stage: _promotion(stage, "issue", an_issue(stage)),
        variant="of an issue",
    ),
    sample(
        "artifacts.promote",
        lambda stage: _promotion(stage, "note", a_note(stage)),
        variant="of a note, for an issue",
    ),
    sample(
        "artifacts.promote",
        lambda stage: _promotion(stage, "chat-message", a_message(stage)),
        variant="of a message",
    ),
)

ON_ISSUE: dict[str, Prepare] = {
    "artifacts.create": lambda stage, issue_id: {"title": "Report", "body": "Text", "issueId": issue_id},
    "artifacts.update": lambda stage, issue_id: {"id": an_artifact(stage, issue_id), "title": "Findings"},
    "artifacts.archive": lambda stage, issue_id: {"id": an_artifact(stage, issue_id)},
    "artifacts.promote": lambda stage, issue_id: {"sourceType": "issue", "sourceId": issue_id},
}
