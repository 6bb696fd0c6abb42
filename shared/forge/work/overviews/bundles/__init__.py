"""Bundles: all that an agent needs to work on an issue, in one answer that is short enough to be read."""
