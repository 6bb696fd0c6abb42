"""Lambda entry point of the waits."""

from forge.wire.workers import waits_handler

handler = waits_handler()
