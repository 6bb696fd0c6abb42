"""One folder per MCP namespace; each folder is one Lambda function."""
