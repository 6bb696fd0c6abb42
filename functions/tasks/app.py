"""Lambda entry point of the tasks."""

from forge.wire.workers import tasks_handler

handler = tasks_handler()
