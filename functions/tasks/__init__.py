"""The tasks: executes calls of long tools that a client left behind, and keeps the answers."""
