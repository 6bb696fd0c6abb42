"""How a child reaches Forge: an MCP configuration that only names the variable of the key."""

import json

from forge.cli.clients import rpc_url
from forge.cli.worker.agents.claude import MCP_FILE
from forge.cli.worker.agents.protocol import RUN_KEY, SERVER

FILE = MCP_FILE
_PROFILE = "worker"


def url_of(base_url: str) -> str:
    return f"{rpc_url(base_url)}?profile={_PROFILE}"


def written(url: str) -> str:
    headers = {"Authorization": f"Bearer ${{{RUN_KEY}}}"}
    return json.dumps({"mcpServers": {SERVER: {"type": "http", "url": url, "headers": headers}}}, indent=2)
