"""Lambda entry point of the word index."""

from forge.wire.workers import words_handler

handler = words_handler()
