"""Tests of what is decided for runs alone."""
