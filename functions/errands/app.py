"""Lambda entry point of the errands."""

from forge.wire.workers import errands_handler

handler = errands_handler()
