"""Escalations: what to do when an issue turns out to be worse than it looked."""
