"""Auto-dispatch: which agent a queued issue goes to, and why."""
