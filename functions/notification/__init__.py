"""Notification: which events a person wants to hear of, here and in every workspace."""
