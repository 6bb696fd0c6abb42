"""Aggregates that several namespaces share."""
