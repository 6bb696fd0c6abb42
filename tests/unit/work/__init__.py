"""What several namespaces share: authentication, the sweep, the outbox, unique names, founding."""
