"""Lambda entry point of whoever keeps the word index."""

from forge.wire.workers import words_handler

handler = words_handler()
