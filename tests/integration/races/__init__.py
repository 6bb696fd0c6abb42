"""Many at once, with real threads on the embedded AWS."""
