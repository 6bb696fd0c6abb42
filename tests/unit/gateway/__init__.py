"""The gateway's tools, through the doors."""
