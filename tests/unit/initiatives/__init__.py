"""Initiatives: several projects, one aim."""
