"""The waits: asks, reminds and in the end decides what a person or an agent was asked."""
