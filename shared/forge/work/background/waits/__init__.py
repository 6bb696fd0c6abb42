"""Tending what waits for a person or an agent."""
