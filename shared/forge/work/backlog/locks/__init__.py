"""Locks: who holds an issue of a backlog, with its lease and its workflow, and how that ends."""
