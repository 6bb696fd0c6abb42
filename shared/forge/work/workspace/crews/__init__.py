"""Crews: agents with roles who reach a goal together."""
