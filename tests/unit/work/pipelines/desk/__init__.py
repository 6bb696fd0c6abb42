"""Tests of one room of `forge.work`."""
