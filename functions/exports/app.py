"""Lambda entry point of the exports."""

from forge.wire.workers import exports_handler

handler = exports_handler()
