"""The `forge` command as people run it: real processes on loopback."""
