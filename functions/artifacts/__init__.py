"""Artifacts: documents that outlast the work they come from, with every version of their text.

Decisions, runbooks, reports: what an agent delivers beside its code, often for an issue. An issue that
requires one is completed with an artifact that belongs to it. `artifacts.promote` makes one of a comment, of
a run's summary or of an issue's description.
"""
