"""Comments, and whom they call by name."""
