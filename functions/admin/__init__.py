"""The operators' surface: workspaces, members, agents, keys, tokens and statuses. Never on MCP.

Every call needs the key of a user who is OWNER or ADMIN, with the scope ADMIN.
"""
