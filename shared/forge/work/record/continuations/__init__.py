"""What a call leaves to be done in chunks: the item, and how its chunks are walked."""
