"""Tests of one floor of `forge.work`."""
