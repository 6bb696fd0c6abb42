"""Runs: what agents are doing for issues."""
