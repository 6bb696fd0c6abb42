"""Ready-made configuration for the clients people use."""

from forge.wire.edge import RPC_PATH


def client_snippets(base_url: str, key: str) -> str:
    """What to paste where. The key is an agent's: a person's could claim issues, but not work on them."""
    url = f"{base_url}{RPC_PATH}"
    return f"""\
Forge is ready. Its agent `worker` connects like this to {base_url}

Claude Code
  claude mcp add --transport http forge {url} --header "Authorization: Bearer {key}"

Codex (~/.codex/config.toml; then: export FORGE_KEY={key})
  [mcp_servers.forge]
  url = "{url}"
  bearer_token_env_var = "FORGE_KEY"

Cursor (.cursor/mcp.json)
  {{"mcpServers": {{"forge": {{"url": "{url}", "headers": {{"Authorization": "Bearer {key}"}}}}}}}}

curl
  curl -s {base_url}/api/mcp/agents.me -X POST -H "Authorization: Bearer {key}"

For yourself: .venv/bin/forge admin keys.create name=laptop scopes=READ_ISSUES,WRITE_ISSUES,WRITE_COMMENTS
More agents and clients: docs/guides/connect-your-agent.md
"""
