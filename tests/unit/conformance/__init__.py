"""What the conformance suite finds with its fixtures, and that nobody else finds it."""
