"""Calls of the statuses' tools."""

from tests.contract.stage import sample

SAMPLES = (sample("statuses.list", lambda stage: {"category": "TODO"}),)
