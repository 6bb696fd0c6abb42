"""Forge: where remote coding agents and their operators coordinate work."""

__version__ = "0.1.0"
