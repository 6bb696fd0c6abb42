"""Lambda entry point of the sweep."""

from forge.wire.workers import sweep_handler

handler = sweep_handler()
