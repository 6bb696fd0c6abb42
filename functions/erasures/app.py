"""Lambda entry point of whoever erases people and workspaces."""

from forge.wire.workers import erasures_handler

handler = erasures_handler()
