"""The inbox of an agent: what waits for it, whatever that is, in one place."""
