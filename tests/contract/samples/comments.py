"""Calls of the comments' tools: those that call others by name call as many as they can."""

from forge.work.content.comments.mentions import MAX_AGENTS, MAX_NAMES
from tests.contract.stage import Arguments, Stage, sample

A_TEXT_KEPT_APART = "\N{MEMO}" * 30_000


def _an_issue(stage: Stage) -> str:
    return str(stage.call("issues.create", {"title": "Fix login timeout"})["id"])


def _an_assigned_issue(stage: Stage) -> str:
    """Its agent hears of whatever happens to it."""
    issue_id = _an_issue(stage)
    stage.call("issues.assign", {"issueId": issue_id, "agentId": stage.an_agent(), "mode": "RESEARCH"})
    return issue_id


def _a_comment(stage: Stage, issue_id: str, body: str = "Hello", *, key: str | None = None) -> str:
    return str(stage.call("comments.create", {"issueId": issue_id, "body": body}, key=key)["id"])


def _names(stage: Stage, *, agents: int) -> str:
    """Of so many agents, and of people up to what one text can mention."""
    for _ in range(agents):
        stage.an_agent()
    for _ in range(MAX_NAMES - agents):
        stage.a_member()
    profile_keys = [row["profileKey"] for row in stage.call("agents.list", {})["data"]][-agents:]
    handles = [row["handle"] for row in stage.call("members.list", {})["data"]][agents - MAX_NAMES :]
    return " ".join(f"@{name}" for name in (*profile_keys, *handles))


def _with_a_card(stage: Stage) -> Arguments:
    card = {
        "title": "Take it?",
        "kind": "SET_LABELS",
        "payload": {"add": [stage.a_label() for _ in range(20)], "remove": [stage.a_label()]},
        "assignedUserId": stage.a_member(),
        "assignedAgentId": stage.an_agent(),
    }
    return {
        "issueId": _an_assigned_issue(stage),
        "body": f"{_names(stage, agents=MAX_AGENTS - 1)} " + " ".join(f"@x{place}" for place in range(60)),
        "actionRequest": card,
    }


def _claimed(stage: Stage) -> str:
    """By the agent that calls, which says its first word."""
    issue_id = str(stage.call("issues.create", {"title": "Fix it", "projectId": stage.a_project()})["id"])
    stage.call("issues.claim", {"issueId": issue_id}, key=stage.agent_key(stage.acting_agent))
    return issue_id


def _first_status(stage: Stage) -> Arguments:
    return {"issueId": _an_assigned_issue(stage), "body": "Begun.", "currentStep": "reading"}


def _next_status(stage: Stage) -> Arguments:
    first = _first_status(stage)
    stage.call("comments.upsertStatus", first, key=stage.agent_key(stage.acting_agent))
    return {**first, "body": A_TEXT_KEPT_APART, "currentStep": "writing"}


def _an_own_comment(stage: Stage) -> str:
    key = stage.agent_key(stage.acting_agent)
    return _a_comment(stage, _an_assigned_issue(stage), A_TEXT_KEPT_APART, key=key)


def _a_thread(stage: Stage) -> Arguments:
    issue_id = _an_issue(stage)
    _a_comment(stage, issue_id)
    stage.world.clock.advance(seconds=1)
    _a_comment(stage, issue_id, A_TEXT_KEPT_APART, key=stage.agent_key(stage.an_agent()))
    revised = _a_comment(stage, issue_id)
    stage.call("comments.update", {"id": revised, "body": "Hello again"})
    return {"issueId": issue_id, "limit": 2, "before": "2999-12-31T00:00:00Z", "include": ["revisions"]}


def _a_history(stage: Stage) -> Arguments:
    comment_id = _a_comment(stage, _an_issue(stage), A_TEXT_KEPT_APART)
    for text in ("Hello again", "Hello once more"):
        stage.call("comments.update", {"id": comment_id, "body": text})
    return {"id": comment_id, "limit": 1}


SAMPLES = (
    sample(
        "comments.create",
        lambda stage: {
            "issueId": _an_issue(stage),
            "body": _names(stage, agents=MAX_AGENTS),
            "suggestedReplies": ["Yes", "No"],
            "confidence": "HIGH",
        },
    ),
    sample(
        "comments.create",
        lambda stage: {
            "issueId": _an_assigned_issue(stage),
            # The assignee has a run, too, and so will the caller.
            "body": _names(stage, agents=MAX_AGENTS - 2) + A_TEXT_KEPT_APART,
        },
        variant="by an agent",
        as_agent=True,
    ),
    sample(
        "comments.create",
        lambda stage: {
            "issueId": _an_assigned_issue(stage),
            "body": f"{_names(stage, agents=MAX_AGENTS)} @more and @others "
            + " ".join(f"@x{place}" for place in range(60)),
        },
        variant="with more names than are called at once",
    ),
    sample("comments.create", _with_a_card, variant="with a request"),
    sample(
        "comments.create",
        lambda stage: {"issueId": _claimed(stage), "body": "I begin."},
        variant="as the first word",
        as_agent=True,
    ),
    sample(
        "comments.delete",
        lambda stage: {"id": stage.a_while_ago(_a_comment(stage, _an_assigned_issue(stage)))},
    ),
    sample(
        "comments.delete",
        lambda stage: {"id": stage.a_while_ago(_an_own_comment(stage))},
        variant="by an agent",
        as_agent=True,
    ),
    sample("comments.history", _a_history),
    sample("comments.list", _a_thread),
    sample(
        "comments.update",
        lambda stage: {
            "id": _a_comment(stage, _an_issue(stage)),
            "body": _names(stage, agents=MAX_AGENTS),
        },
    ),
    sample(
        "comments.update",
        lambda stage: {"id": _an_own_comment(stage), "body": _names(stage, agents=1)},
        variant="by an agent",
        as_agent=True,
    ),
    sample("comments.upsertStatus", _first_status),
    sample("comments.upsertStatus", _next_status, variant="again"),
    sample(
        "comments.upsertStatus",
        lambda stage: {"issueId": _claimed(stage), "body": "I begin."},
        variant="as the first word",
    ),
)
