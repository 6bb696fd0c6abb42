"""Pipelines: from a request to a merged change in fixed phases, decided by pure functions."""
