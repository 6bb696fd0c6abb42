"""Tasks of MCP: how it stands with what somebody waits for, read off the thing itself.

There is no second state: a task is a sleeper, a request, a run or a job of the gateway, as its row says.
"""
