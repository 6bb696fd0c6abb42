"""The `forge` command."""
