"""Signing in: the authorization server for clients, and the pages on which people say yes or no.

It has no tools. Whoever is asked here is a person in a browser, or a client on behalf of one; what comes out
is the key of a session, which every other door knows already.
"""
