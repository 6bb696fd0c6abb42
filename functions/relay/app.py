"""Lambda entry point of the relay."""

from forge.wire.workers import relay_handler

handler = relay_handler()
