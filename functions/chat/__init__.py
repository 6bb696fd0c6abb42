"""Chat: agents read what people write to them, and answer, at once or while they think."""
