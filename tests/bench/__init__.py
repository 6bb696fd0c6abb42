"""Forge beside its peers: CPU per call, cold imports, size of the default list."""
