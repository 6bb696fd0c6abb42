"""Calls of the runs' tools, by the agent whose run it is where only that one may."""

from tests.contract.stage import Arguments, Stage, sample


def an_issue(stage: Stage) -> str:
    given = {"title": "Fix login timeout", "projectId": stage.a_project(), "labelIds": [stage.a_label()]}
    return str(stage.call("issues.create", given)["id"])


def a_run(stage: Stage, issue_id: str, *, agent_id: str | None = None) -> str:
    """Of the agent that calls what is for agents, unless another is given."""
    stage.call("issues.assign", {"issueId": issue_id, "agentId": agent_id or stage.acting_agent})
    issue = stage.call("issues.get", {"id": issue_id, "include": {"currentRun": True}})
    return str(issue["currentRun"]["id"])


def _own(stage: Stage, **more: object) -> Arguments:
    return {"runId": a_run(stage, an_issue(stage)), **more}


def _an_artifact(stage: Stage, issue_id: str) -> str:
    document = {"title": "What was done", "body": "Everything.", "issueId": issue_id}
    return str(stage.call("artifacts.create", document)["id"])


def _demanding(stage: Stage) -> Arguments:
    """On a queued issue that requires everything and then goes to review."""
    stage.call("workspaces.update", {"reviewStatusId": stage.a_status("IN_REVIEW")})
    issue_id = an_issue(stage)
    stage.call(
        "issues.update",
        {"id": issue_id, "artifactRequired": True, "verificationChecklist": [{"label": "Tests pass"}]},
    )
    stage.call("issues.queue", {"id": issue_id})
    status, key = {"issueId": issue_id, "body": "I help."}, stage.agent_key(stage.acting_agent)
    run_id = stage.call("comments.upsertStatus", status, key=key)["runId"]
    stage.give_without_a_run(issue_id)
    return {
        "runId": run_id,
        "summary": "\N{MEMO}" * 30_000,
        "producedArtifactIds": [_an_artifact(stage, issue_id)],
        "verificationResult": [{"label": "tests pass", "value": "make test", "done": True}],
        "followUps": [{"title": "Tell support", "body": "They wait for it.", "kind": "chore"}],
        "confidence": "HIGH",
        "artifact": {"title": "How it was found", "body": "\N{MEMO}" * 30_000},
        "usage": {"tokensIn": 10, "tokensOut": 5, "tokensCached": 1, "costUsd": 0.1},
        "transitionTo": stage.a_status("IN_REVIEW"),
    }


def _quiet(stage: Stage) -> Arguments:
    given = _own(stage)
    stage.world.clock.advance(minutes=5)
    return given


def _stuck(stage: Stage) -> Arguments:
    for _ in range(2):
        run_id = a_run(stage, an_issue(stage), agent_id=stage.acting_agent)
        waits = {"runId": run_id, "reason": "Which schema?", "blocking": True}
        stage.call("runs.setWaiting", waits, key=stage.agent_key(stage.acting_agent))
    return {"needsPerson": True, "limit": 1}


def _two_of_an_agent(stage: Stage) -> str:
    agent_id = stage.an_agent()
    for _ in range(2):
        a_run(stage, an_issue(stage), agent_id=agent_id)
    return agent_id


def _with_two_runs(stage: Stage) -> str:
    issue_id = an_issue(stage)
    for _ in range(2):
        a_run(stage, issue_id, agent_id=stage.an_agent())
    return issue_id


def _given_back_twice(stage: Stage) -> Arguments:
    """By an agent that auto-dispatch has given it to: the third time people are asked."""
    agent_id = stage.acting_agent
    key = stage.agent_key(agent_id)
    issue_id = an_issue(stage)
    for _ in range(2):
        stage.call("issues.queue", {"id": issue_id})
        run_id = stage.call("issues.claim", {"issueId": issue_id}, key=key)["runId"]
        stage.call("runs.giveBack", {"runId": run_id, "reason": "No network here."}, key=key)
    run_id = stage.call("issues.claim", {"issueId": issue_id}, key=key)["runId"]
    stage.give_without_a_run(issue_id)
    return {"runId": run_id, "reason": "No network here."}


def _dispatched(stage: Stage) -> Arguments:
    """To the agent that calls, by the machine: it becomes nobody's."""
    key = stage.agent_key(stage.acting_agent)
    stage.call("agents.heartbeat", {}, key=key)
    stage.call("workspaces.update", {"autoDispatch": True, "autoDispatchMode": "ROUND_ROBIN"})
    issue_id = an_issue(stage)
    stage.call("issues.queue", {"id": issue_id})
    issue = stage.call("issues.get", {"id": issue_id, "include": {"currentRun": True}})
    stage.call("issues.setQueued", {"id": issue_id, "queued": False})
    stage.call("issues.claim", {"issueId": issue_id}, key=key)
    return {"runId": issue["currentRun"]["id"], "reason": "No network here.", "afterMinutes": 30}


def _to_be_heard_of(stage: Stage) -> Arguments:
    given = _own(stage, seq=0, chunk="Reading src/login.py\n")
    stage.world.clock.advance(minutes=2)
    return given


def _with_a_log(stage: Stage) -> Arguments:
    run_id = a_run(stage, an_issue(stage))
    key = stage.agent_key(stage.acting_agent)
    for seq, chunk in enumerate(("Reading src/login.py\n", "Running the tests\n")):
        stage.call("runs.appendLog", {"runId": run_id, "seq": seq, "chunk": chunk}, key=key)
    return {"runId": run_id, "after": "1"}


def _for_an_answer(stage: Stage) -> Arguments:
    """On an issue that is claimed, whose claim has to be kept up."""
    key = stage.agent_key(stage.acting_agent)
    issue_id = an_issue(stage)
    stage.call("issues.queue", {"id": issue_id})
    claim = {"issueId": issue_id, "claimTtlMinutes": 5}
    run_id = stage.call("issues.claim", claim, key=key)["runId"]
    request = {"issueId": issue_id, "title": "Which schema?"}
    request_id = stage.call("actionRequests.create", request, key=key)["id"]
    resume = {"agent": "claude", "sessionId": "0b1c", "runtimeId": "rt_1"}
    return {"runId": run_id, "reason": "Which schema?", "requestId": request_id, "resume": resume}


SAMPLES = (
    sample("runs.giveBack", _dispatched),
    sample("runs.giveBack", _given_back_twice, variant="the third time"),
    sample("runs.complete", _demanding),
    sample("runs.complete", lambda stage: _own(stage, summary="Done."), variant="in a word"),
    sample("runs.kick", _quiet),
    sample("runs.appendLog", _to_be_heard_of),
    sample("runs.log", _with_a_log),
    sample(
        "runs.list", lambda stage: {"limit": 1, "agentId": _two_of_an_agent(stage)}, variant="of an agent"
    ),
    sample("runs.list", lambda stage: {"limit": 1, "issueId": _with_two_runs(stage)}, variant="of an issue"),
    sample("runs.list", _stuck, variant="for people"),
    sample("runs.list", lambda stage: {"id": a_run(stage, an_issue(stage))}, variant="by id"),
    sample(
        "runs.recordUsage",
        lambda stage: _own(stage, tokensIn=48_210, tokensOut=3_901, tokensCached=12, costUsd=0.2714),
    ),
    sample("runs.resumeWork", lambda stage: _own(stage, currentStep="Writing the migration")),
    sample("runs.setWaiting", lambda stage: _own(stage, reason="Which schema?", blocking=True)),
    sample("runs.setWaiting", _for_an_answer, variant="for an answer"),
)

PHRASES = {
    "runs.appendLog": (
        "append output to the log of my run",
        "stream what my program prints",
        "send the next lines of live output",
    ),
    "runs.log": (
        "follow the log of a run",
        "what is the agent printing right now",
        "show me its output as it happens",
    ),
    "runs.giveBack": (
        "I can't do this here, somebody else should try",
        "give the work back with a reason",
        "return the task to the queue for later",
    ),
}
