"""The embedded AWS of one machine."""
