"""One declaration per tool, and everything that is derived from it."""
