"""Calls of the agents' tools."""

from tests.contract.stage import Arguments, Stage, sample


def _of_one_runtime(stage: Stage) -> Arguments:
    runtime_id = stage.a_runtime()
    stage.an_agent(runtimeId=runtime_id)
    return {"includeArchived": True, "runtimeId": runtime_id}


SAMPLES = (
    sample("agents.heartbeat", lambda stage: {"status": "BUSY"}),
    sample("agents.list", _of_one_runtime),
    sample("agents.me"),
)
