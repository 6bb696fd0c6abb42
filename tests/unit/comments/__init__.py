"""Comments: who says what, who is called by it, and what is kept of it."""
