"""The minute sweep, what it puts off, and the outbox that it and the relay send."""
