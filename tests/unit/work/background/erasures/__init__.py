"""Erasing people and workspaces for good."""
