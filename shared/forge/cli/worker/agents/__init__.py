"""Agents of all kinds behind one protocol."""
