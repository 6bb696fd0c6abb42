"""Work on an issue: its phases, which may follow which, and what became of it."""
