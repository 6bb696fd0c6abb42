"""Deliveries: events on their way to agents and webhooks, one row for each until somebody has taken it."""
