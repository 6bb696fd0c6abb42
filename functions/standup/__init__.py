"""Standup: what somebody did since yesterday, written for a chat."""
