"""Agents and members, their keys, and the names they are shown by."""
