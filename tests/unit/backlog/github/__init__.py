"""Backlogs whose issues are kept on GitHub."""
