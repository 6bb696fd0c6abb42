"""The wire: both MCP eras, REST, and the ways in, over a Forge in memory."""
