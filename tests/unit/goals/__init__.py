"""The tools of one namespace, called through an office."""
