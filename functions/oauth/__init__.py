"""Signing in: a person in a browser, and clients that act for one."""
