"""The backlog."""
