"""One tool or rule at a time, called as a function."""
