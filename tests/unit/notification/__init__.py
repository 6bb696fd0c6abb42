"""Notification: what a person wants to hear of."""
