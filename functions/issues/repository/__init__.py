"""How issues are read for the tools: lists, the queue, and what a new or edited issue refers to."""
