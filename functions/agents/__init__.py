"""Agents: who works in this workspace, how they are, and the heartbeat that says so."""
