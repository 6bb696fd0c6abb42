"""What is true of every tool, by walking the registry."""
