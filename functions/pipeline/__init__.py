"""Pipeline: from a request to a merged change in fixed phases. Ask what is due, do it, report it."""
