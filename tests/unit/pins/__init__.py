"""Pins: a few issues at hand."""
