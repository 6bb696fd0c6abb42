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
    sample("agents.list", _of_one_runtime),
    sample("agents.me"),
)

PHRASES = {
    "agents.connect": (
        "register the machine that I run on",
        "connect my worker after a restart",
        "I am a worker on a new machine",
    ),
}
