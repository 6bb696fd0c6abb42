"""Watchdogs: what the sweep notices that nobody did: neglected issues, silent runs, ignored assignments."""
