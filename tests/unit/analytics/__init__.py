"""Analytics: figures of a workspace."""
