"""Lambda entry point of whoever runs errands."""

from forge.wire.workers import errands_handler

handler = errands_handler()
