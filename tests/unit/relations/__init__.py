"""Relations: what blocks what, and what that does to the queue."""
