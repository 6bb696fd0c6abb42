"""The agent's own view."""
