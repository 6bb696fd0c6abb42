"""Figures of days: what was spent and what got done, counted from the log and kept for as long as it."""
