"""The workspace: settings, statuses, labels, and names that are unique in it."""
