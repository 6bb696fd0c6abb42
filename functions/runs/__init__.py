"""Runs: what agents are doing for issues, how far they are, what it costs, and how it ended.

A run begins when an agent is woken for an issue or writes to it. The agent says with `runs.setWaiting` that
it waits for somebody, and ends its work with `runs.complete`; operators nudge a quiet run with `runs.kick`.
"""
