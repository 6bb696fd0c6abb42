"""Lambda entry point of whoever writes exports."""

from forge.wire.workers import exports_handler

handler = exports_handler()
