"""The issue: its head, the desk it is opened on, how it changes, and how it is shown."""
