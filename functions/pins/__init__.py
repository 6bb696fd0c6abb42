"""Pins: the few issues that a person or an agent keeps at hand."""
