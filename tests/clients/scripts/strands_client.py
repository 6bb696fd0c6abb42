"""Strands Agents."""

import json
import os

import httpx2
from mcp.client.streamable_http import streamable_http_client
from strands.tools.mcp import MCPClient

http = httpx2.AsyncClient(headers={"Authorization": f"Bearer {os.environ['FORGE_AGENT_KEY']}"})
with MCPClient(lambda: streamable_http_client(os.environ["FORGE_URL"], http_client=http)) as client:
    names = [tool.tool_name for tool in client.list_tools_sync()]
    called = client.call_tool_sync("call-1", "agents_me", {})
print(json.dumps({"tools": names, "answer": str(called["content"])}))
