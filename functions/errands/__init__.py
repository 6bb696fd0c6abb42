"""Errands: does at GitHub what was decided here, one issue's after the other."""
