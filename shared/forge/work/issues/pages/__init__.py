"""Pages of lists, never too long to send."""
