"""Tests of the attachments' tools."""
