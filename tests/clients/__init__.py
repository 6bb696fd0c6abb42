"""Real MCP clients, each in an environment of its own: connect, list, call. `make clients` runs them."""
