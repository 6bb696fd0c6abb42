"""Standup: what somebody did, for a chat."""
