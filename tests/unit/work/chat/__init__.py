"""The room of threads."""
