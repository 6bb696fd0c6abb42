"""What the `forge` command is made of, piece by piece."""
