"""The operators' rules."""
