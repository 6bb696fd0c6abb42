"""Calls of the agents' tools."""

from tests.contract.stage import sample

SAMPLES = (
    sample("agents.heartbeat", lambda stage: {"status": "BUSY"}),
    sample("agents.list", lambda stage: {"includeArchived": True}),
    sample("agents.me"),
)
