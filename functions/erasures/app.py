"""Lambda entry point of the erasures."""

from forge.wire.workers import erasures_handler

handler = erasures_handler()
