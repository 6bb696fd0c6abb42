"""Lambda entry point of whoever executes what may take longer than anybody waits."""

from forge.wire.workers import tasks_handler

handler = tasks_handler()
