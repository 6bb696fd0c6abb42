"""Every way in and out: MCP of both eras, REST, the Lambda handler, the FastAPI face."""
