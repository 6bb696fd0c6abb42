"""What is generated, and what is said of it to those who review."""
