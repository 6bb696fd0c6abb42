"""Whoever erases people and workspaces."""
