"""What is said to Forge: calls that are repeated until they are answered, and the journal they go through."""
