"""Approving a plan and judging a step: what a yes is one to, and who is asked until somebody decides."""
