"""What a run must show before it can be completed, and what follows from its completion."""
