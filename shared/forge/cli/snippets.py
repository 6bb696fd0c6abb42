"""Ready-made configuration for the clients people use."""

from forge.wire.edge import RPC_PATH


def client_snippets(base_url: str, key: str) -> str:
    """What to paste where. The key is shown because it is the reader's own."""
    url = f"{base_url}{RPC_PATH}"
    return f"""\
Forge is ready at {base_url}

Claude Code
  claude mcp add --transport http forge {url} --header "Authorization: Bearer {key}"

Codex (~/.codex/config.toml; then: export FORGE_KEY={key})
  [mcp_servers.forge]
  url = "{url}"
  bearer_token_env_var = "FORGE_KEY"

Cursor (.cursor/mcp.json)
  {{"mcpServers": {{"forge": {{"url": "{url}", "headers": {{"Authorization": "Bearer {key}"}}}}}}}}

curl
  curl -s {base_url}/api/mcp/workspace.get -X POST -H "Authorization: Bearer {key}"
"""
