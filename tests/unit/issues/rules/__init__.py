"""Tests of what is decided for issues alone."""
