"""Projects, which own issues."""
