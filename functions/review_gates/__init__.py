"""Review gates: where plans and steps wait for somebody to decide, and checkpoints of your own."""
