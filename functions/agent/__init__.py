"""The agent's own view: all that it needs to know about its work, in one call.

`agent.context.bundle` is where work on an issue begins: its texts, its discussion, what it is connected with,
what a completion must show, and the calls that the agent owes while it works.
"""
