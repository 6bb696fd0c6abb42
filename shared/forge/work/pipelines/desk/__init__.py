"""Pipelines as they are read and written: the desk between the engine and the store."""
