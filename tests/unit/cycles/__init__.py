"""Cycles."""
