"""Calls of the workspace's tools."""

from tests.contract.stage import sample

SAMPLES = (sample("workspace.get"),)
