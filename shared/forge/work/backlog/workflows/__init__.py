"""Work on an issue under a lock: its phases, its lease, and its end."""
