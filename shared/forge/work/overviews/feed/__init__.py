"""The feed of events: pages of it, and following it live."""
