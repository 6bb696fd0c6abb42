"""What the workspace shows of itself."""
