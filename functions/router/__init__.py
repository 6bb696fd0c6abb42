"""The front door: MCP over JSON-RPC, the other spelling of tool names, health and description."""
