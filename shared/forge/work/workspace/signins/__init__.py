"""Browsers in which a person is signed in, however they proved who they are."""
