"""The official MCP conformance suite, run against this server with its fixtures."""
