"""Crews, as tools keep them."""
