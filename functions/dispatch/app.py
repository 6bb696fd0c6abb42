"""Lambda entry point of the dispatch."""

from forge.wire.workers import dispatch_handler

handler = dispatch_handler()
