"""The spec-driven engine: from a request to a merged change in fixed phases, and what it learns."""
