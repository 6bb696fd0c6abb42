"""The log of every mutation: events, outbox, feed, and the sweep of what is due."""
