"""Calls of the agents' tools."""

from tests.contract.samples.issues import an_issue
from tests.contract.stage import Arguments, Stage, sample


def _of_one_runtime(stage: Stage) -> Arguments:
    runtime_id = stage.a_runtime()
    stage.an_agent(runtimeId=runtime_id)
    return {"includeArchived": True, "runtimeId": runtime_id}


def _connected(stage: Stage) -> str:
    key = stage.agent_key(stage.acting_agent)
    return str(stage.call("agents.connect", {"instanceId": "box-1", "name": "build-box"}, key=key)["id"])


def _at_a_run(stage: Stage) -> Arguments:
    """Nothing was heard of it, nor of its claim, for so long that both have to be written."""
    key = stage.agent_key(stage.acting_agent)
    issue_id = an_issue(stage)
    stage.call("issues.queue", {"id": issue_id})
    run_id = stage.call("issues.claim", {"issueId": issue_id}, key=key)["runId"]
    stage.world.clock.advance(minutes=40)
    slots = {"total": 4, "busy": 1}
    return {"runtimeId": _connected(stage), "slots": slots, "runs": [run_id], "versions": {"claude": "2.1"}}


def _a_run(stage: Stage) -> Arguments:
    """Of an issue of no project that another stands in the way of, by an agent that has made a key for it."""
    key = stage.agent_key(stage.acting_agent)
    issue_id = an_issue(stage)
    relation = {"fromIssueId": issue_id, "toIssueId": an_issue(stage), "kind": "BLOCKS"}
    stage.call("relations.add", relation)
    run_id = stage.call("issues.claim", {"issueId": issue_id}, key=key)["runId"]
    stage.call("agents.sessionKey", {"runId": run_id}, key=key)
    return {"runId": run_id, "ttlMinutes": 120}


SAMPLES = (
    sample(
        "agents.connect",
        lambda stage: {
            "instanceId": "box-1-7f3a",
            "name": "build-box",
            "providersAvailable": ["CLAUDE", "CUSTOM"],
            "config": {"toolCapabilities": ["goose"]},
        },
    ),
    sample("agents.heartbeat", lambda stage: {"status": "BUSY"}),
    sample("agents.heartbeat", _at_a_run, variant="of a runtime"),
    sample("agents.sessionKey", _a_run),
    sample("agents.list", _of_one_runtime),
    sample("agents.me"),
)

PHRASES = {
    "agents.connect": (
        "register the machine that I run on",
        "connect my worker after a restart",
        "I am a worker on a new machine",
    ),
    "agents.sessionKey": (
        "make a key for the program that works on this run",
        "a key that can touch one issue only",
        "short-lived key for a child process",
    ),
}
