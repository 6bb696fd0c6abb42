"""One run, from its claim to its report."""
