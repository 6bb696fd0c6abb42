"""The text index of issues."""
