"""Initiatives: what several projects are for. They have a slug, a status, a date and an order."""
