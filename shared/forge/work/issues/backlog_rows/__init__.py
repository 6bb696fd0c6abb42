"""The places of an issue in the backlog of its repository, which follow from its head."""
