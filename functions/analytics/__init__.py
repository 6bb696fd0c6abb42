"""Analytics: how many issues there are in which status, how many are done, and what went wrong."""
