"""Tests of the way out."""
