"""Erasing for good: what a person leaves in a workspace, and a workspace with all that it has."""
