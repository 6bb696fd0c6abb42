"""What its owner wrote: a file, flags, and the repository's own WORKFLOW.md."""
