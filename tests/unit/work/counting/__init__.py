"""What is counted of issues."""
