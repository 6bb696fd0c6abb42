"""Tests of the issues' tools."""
