"""Who spent how much time on what."""
