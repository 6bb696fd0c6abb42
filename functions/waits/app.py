"""Lambda entry point of whoever tends what waits for a person or an agent."""

from forge.wire.workers import waits_handler

handler = waits_handler()
