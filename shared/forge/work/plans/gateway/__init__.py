"""Calling any tool by what one means to do: intents, effects, gates, and the form of what comes back."""
