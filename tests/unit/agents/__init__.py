"""Agents, as they see themselves and each other."""
