"""The dispatch: takes events and deliveries off the queue, and posts them, signed, to agents and webhooks."""
