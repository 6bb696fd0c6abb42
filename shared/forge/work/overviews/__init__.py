"""What shows many things at once: an issue as a whole, an agent's bundle, the feed, an export."""
