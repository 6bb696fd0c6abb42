"""Chat: threads in which a person and an agent talk, and replies that appear while they are written."""
