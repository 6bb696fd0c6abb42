"""Lambda entry point of the relay."""

from forge.wire.relaying import relay_handler

handler = relay_handler()
