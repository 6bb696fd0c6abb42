"""Claims: who has an issue, and whom that keeps out."""
