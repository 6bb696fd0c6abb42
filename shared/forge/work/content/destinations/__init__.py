"""Where events are sent: agents and webhooks, and the messages that reach them."""
