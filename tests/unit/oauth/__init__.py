"""Signing in: pages, clients and their tokens, and what attacks them."""
