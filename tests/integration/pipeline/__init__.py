"""Pipelines, with what their callers really run."""
