"""What the official MCP conformance suite wants to find in a server: tools, resources and prompts by name."""
