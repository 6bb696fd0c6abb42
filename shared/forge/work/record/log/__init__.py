"""The log of every change: its event, its audit, and whom it has to be sent to, in one row."""
