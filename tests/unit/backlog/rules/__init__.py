"""The backlog's rules."""
