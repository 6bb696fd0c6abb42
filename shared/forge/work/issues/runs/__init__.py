"""Runs: an agent's engagement with an issue, and what its mode allows."""
