"""Where this server answers what."""

RPC_PATH = "/api/mcp/rpc"
SERVER_CARD_PATH = f"{RPC_PATH}/server-card"
AI_CATALOG_PATH = "/.well-known/ai-catalog.json"
MCP_PATH = "/mcp"
"""Where clients sign in; those with keys use the other."""
API_PATH = "/api"
"""What a token is for that reaches every tool."""
OAUTH_PATH = "/oauth/"
OAUTH_DOCUMENTS = {
    "/.well-known/oauth-protected-resource/mcp": "OAuthResource",
    "/.well-known/oauth-authorization-server/oauth": "OAuthServer",
}
"""What clients read before they sign in, each with a name for it."""
DESCRIBE_PATH = "/api/mcp/describe"
HEALTH_PATH = "/healthz"
STREAM_PATH = "/api/events/stream"
GATEWAY_PATH = "/api/mcp/gateway"
TOOLS_PATH = "/api/mcp/"
EXPORT_PATH = "/api/admin/export"
