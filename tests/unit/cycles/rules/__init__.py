"""What holds for cycles, called as functions."""
