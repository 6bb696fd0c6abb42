"""The columns of the board, as everybody sees them."""
