"""How callers refer to things: by id, or by whatever people call them."""
