"""Execution plans: see plans and their steps, make them without a goal, and move them by hand."""
