"""Greetings for people and agents."""
